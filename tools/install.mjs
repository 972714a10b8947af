// Installs and builds what is missing, so that every npm script works from a fresh clone. Runs on any Node 20 or newer.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const at = (path) => fileURLToPath(new URL(path, root));
const ageOf = (path) => (existsSync(at(path)) ? statSync(at(path)).mtimeMs : 0);

/** Standard output belongs to the command that was asked for. */
function run(command, ...args) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

if (ageOf('node_modules/.package-lock.json') < ageOf('package-lock.json')) {
  process.stderr.write('Installing dependencies (once) …\n');
  run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
}

const PAGES = ['consent'];

/** Sources only: neither what was built nor the folder it was put into is a reason to build. */
const newestSource = Math.max(
  ageOf('package-lock.json'),
  ...readdirSync(at('web'), { recursive: true })
    .filter((path) => !PAGES.includes(path) && !/[\\/]dist([\\/]|$)/.test(path))
    .map((path) => ageOf(`web/${path}`)),
);

for (const page of PAGES) {
  const built = `web/${page}/dist`;
  if (ageOf(`${built}/index.html`) >= newestSource) continue;
  process.stderr.write(`Building the ${page} page (once) …\n`);
  // Beside it first: a server that is running, or another script that builds too, never sees half a page.
  const fresh = `node_modules/.cache/chartgate/${page}-${process.pid}`;
  mkdirSync(at('node_modules/.cache/chartgate'), { recursive: true });
  const vite = ['node_modules/vite/bin/vite.js', 'build', `web/${page}`, '--logLevel=warn', '--emptyOutDir'];
  run('node_modules/.bin/node', ...vite, `--outDir=${at(fresh)}`);
  rmSync(at(built), { recursive: true, force: true });
  try {
    renameSync(at(fresh), at(built));
  } catch (error) {
    // Another script was faster, with the same page.
    if (!existsSync(at(`${built}/index.html`))) throw error;
    rmSync(at(fresh), { recursive: true, force: true });
  }
}
