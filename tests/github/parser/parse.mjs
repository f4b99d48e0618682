import { readFileSync } from "node:fs";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";

async function main() {
  const said = [];
  for (const name of process.argv.slice(2)) {
    const parsed = parseWorkflow({ name, content: readFileSync(name, "utf8") }, new NoOperationTraceWriter());
    const template = await convertWorkflowTemplate(parsed.context, parsed.value);
    const errors = [...parsed.context.errors.getErrors(), ...(template.errors ?? [])];
    said.push({ name, jobs: template.jobs?.length ?? 0, errors: errors.map((error) => error.message ?? error.Message) });
  }
  console.log(JSON.stringify(said));
}

main();
