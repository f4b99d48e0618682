"""The MCP server: gives agents the same answers as the command line. It needs the extra ``mcp``."""
