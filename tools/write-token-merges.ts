import fs from 'node:fs';
import { listTokenMerges } from '../test/harness/tokens.ts';

/** Writes what of the tokenizer o200k the length of answers is estimated by; a test fails when it is stale. */
const file = new URL('../server/surfaces/mcp/render/token-merges.json', import.meta.url);
fs.writeFileSync(file, `${JSON.stringify(listTokenMerges(), null, 1)}\n`);
