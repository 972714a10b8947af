import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

export const readSource = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');

/** Lists files by patterns, relative to the repository, with `/`. */
export const listSources = (...patterns: string[]): string[] =>
  fs
    .globSync(patterns, { cwd: ROOT })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();
