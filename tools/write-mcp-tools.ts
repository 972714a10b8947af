import fs from 'node:fs';
import { TOOLS } from '../server/surfaces/mcp/tools/tools.ts';

/** Writes the tools with their arguments into the contract, which imports nothing of the server; a test fails when it is stale. */
const tools = TOOLS.map(({ name, title, description, inputSchema }) => ({
  name,
  title,
  description,
  inputSchema,
}));
fs.writeFileSync(
  new URL('../contract/mcp/tools.json', import.meta.url),
  `${JSON.stringify(tools, null, 2)}\n`,
);
