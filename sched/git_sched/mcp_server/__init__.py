"""The MCP server: the same answers as the command line gives, for agents. It needs the extra ``mcp``."""
