import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Computes the name of the code in these folders by its contents, which no other build shares: a version's number can be
 * forgotten. Tests are left out, since a release has none.
 */
export async function computeBuildId(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const folder of folders) {
    const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && /\.(ts|sql)$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .sort();
    const contents = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
    for (const [index, name] of names.entries()) hash.update(`${name}\0`).update(contents[index] as Buffer);
  }
  return hash.digest('base64url').slice(0, 22);
}
