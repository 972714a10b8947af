// What the scripts that install and build share. Runs on any Node 20 or newer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const CACHE = 'node_modules/.cache/chartgate';

/** The path of a file of the project. */
export const at = (path) => fileURLToPath(new URL(path, root));

/** When a file was changed; 0 where there is none. */
export const ageOf = (path) => (existsSync(at(path)) ? statSync(at(path)).mtimeMs : 0);

/** A release brings what is built. */
export const isRelease = !existsSync(at('web/consent/src'));

/**
 * Runs a script that builds into the folder that its last argument names, beside the present build: a server or another script
 * that runs never sees half of one. `entry` is a file of what it builds.
 */
export async function build({ name, folder, entry, command }) {
  process.stderr.write(`Building ${name} (once) …\n`);
  const fresh = `${CACHE}/${name.replace('/', '-')}-${process.pid}`;
  mkdirSync(at(CACHE), { recursive: true });
  // Standard output belongs to the command that was asked for.
  const child = spawn('node_modules/.bin/node', [...command, at(fresh)], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) process.exit(status ?? 1);
  rmSync(at(folder), { recursive: true, force: true });
  try {
    renameSync(at(fresh), at(folder));
  } catch (error) {
    // Another script was faster, with the same build.
    if (!existsSync(at(`${folder}/${entry}`))) throw error;
    rmSync(at(fresh), { recursive: true, force: true });
  }
}
