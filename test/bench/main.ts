import { ingestBench } from './ingest.ts';
import { mcpBench } from './mcp.ts';

/** `npm run bench [mcp|ingest]`: speed as ratios to floors taken in the same run, since machines are noisy. */
const rows = new Map<string, () => Promise<unknown>>([
  ['ingest', ingestBench],
  ['mcp', mcpBench],
]);
const wanted = process.argv.slice(2);
for (const [name, row] of rows) if (wanted.length === 0 || wanted.includes(name)) await row();
