import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './process.ts';
import { listImports } from './structure.ts';

const FOLDERS = '{contract,documents,server,cli,tools,test,web}';

/** Every test file, or those that the names (paths, folders or patterns) stand for; throws for a name that matches none. */
export function listTestFiles(names: readonly string[] = []): string[] {
  if (names.length === 0) return glob(`${FOLDERS}/**/*.test.ts`).sort();
  const files = names.flatMap((name) => {
    const relative = path.relative(ROOT, path.resolve(name));
    const found = fs.existsSync(relative) && fs.statSync(relative).isDirectory() ? `${relative}/**/*.test.ts` : relative;
    const matches = glob(found);
    if (matches.length === 0) throw new Error(`no test file: ${name}`);
    return matches;
  });
  return [...new Set(files)];
}

const glob = (pattern: string): string[] =>
  fs.globSync(pattern, { cwd: ROOT }).map((file) => file.replaceAll(path.sep, '/'));

const imports = new Map<string, readonly string[]>();

/** Whether a file imports another, directly or through others. */
export function usesFile(file: string, wanted: string): boolean {
  return listUsedFiles(file).has(wanted);
}

/** The file and all that it imports, directly or through others. */
export function listUsedFiles(file: string): ReadonlySet<string> {
  const used = new Set([file]);
  for (const next of used) for (const imported of importsOf(next)) used.add(imported);
  return used;
}

function importsOf(file: string): readonly string[] {
  const known = imports.get(file);
  if (known) return known;
  const found = /\.tsx?$/.test(file) && fs.existsSync(path.join(ROOT, file)) ? listImports(file) : [];
  imports.set(file, found);
  return found;
}
