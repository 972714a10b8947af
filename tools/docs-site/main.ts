import fs from 'node:fs';
import path from 'node:path';
import { buildSite } from './build-site.ts';

/**
 * Writes the documentation as pages into a folder: `node tools/docs-site/main.ts FOLDER`. The service serves them as files
 * (`/docs`), so that what they are made with stays a development tool.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node tools/docs-site/main.ts FOLDER');
for (const [name, text] of buildSite()) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
