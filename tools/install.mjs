// Installs and builds what is missing, so that every npm script works from a fresh clone. Runs on any Node 20 or newer.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { sep } from 'node:path';
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

/** A release brings its pages built, and its dependencies as npm-shrinkwrap.json, the only such file that npm publishes. */
const isRelease = !existsSync(at('web/consent/src'));
const LOCK = isRelease ? 'npm-shrinkwrap.json' : 'package-lock.json';

/** A clone needs what builds the pages, which `NODE_ENV=production` would leave out. */
function install() {
  process.stderr.write('Installing dependencies (once) …\n');
  const include = isRelease ? '--omit=dev' : '--include=dev';
  run('npm', 'ci', include, '--no-audit', '--no-fund', '--loglevel=error');
}

/** Whoever ran `npx` on a release has its dependencies, in a place that npm chose. */
const isDependency = at('.').includes(`${sep}node_modules${sep}`);
if (!isDependency && ageOf('node_modules/.package-lock.json') < ageOf(LOCK)) install();

/** The apps of web/, each with the entry of its build, and the documentation. */
const APPS = new Map([
  ['console', 'index.html'],
  ['consent', 'index.html'],
  ['portal', 'main.js'],
  ['preview', 'index.html'],
  ['docs', 'index.html'],
]);

/** What the pages of the documentation are made from, besides web/. */
const DOCS_SOURCES = [
  'docs',
  'docs/start',
  'docs/decisions',
  'deploy',
  'deploy/kubernetes',
  'tools/docs-site',
  'tools/docs-site/reference',
].flatMap((folder) =>
  existsSync(at(folder)) ? readdirSync(at(folder)).map((name) => `${folder}/${name}`) : [],
);
const DOCS_FILES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'compose.yaml',
];

/** Sources only: neither what was built nor the folder it was put into is a reason to build. */
const newestSource = Math.max(
  ageOf('package-lock.json'),
  ...readdirSync(at('web'), { recursive: true })
    .filter((path) => !APPS.has(path) && !/[\\/]dist([\\/]|$)/.test(path))
    .map((path) => ageOf(`web/${path}`)),
);
const newestDocs = Math.max(newestSource, ...[...DOCS_SOURCES, ...DOCS_FILES].map(ageOf));

/** Builds an app beside its present build: a server or another script that runs never sees half of one. */
async function build(app, entry) {
  const built = `web/${app}/dist`;
  process.stderr.write(`Building web/${app} (once) …\n`);
  const fresh = `node_modules/.cache/chartgate/${app}-${process.pid}`;
  mkdirSync(at('node_modules/.cache/chartgate'), { recursive: true });
  const command =
    app === 'docs'
      ? ['tools/docs-site/main.ts', at(fresh)]
      : [VITE, 'build', `web/${app}`, '--logLevel=warn', '--emptyOutDir', `--outDir=${at(fresh)}`];
  const child = spawn('node_modules/.bin/node', command, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) process.exit(status ?? 1);
  rmSync(at(built), { recursive: true, force: true });
  try {
    renameSync(at(fresh), at(built));
  } catch (error) {
    // Another script was faster, with the same build.
    if (!existsSync(at(`${built}/${entry}`))) throw error;
    rmSync(at(fresh), { recursive: true, force: true });
  }
}

/** Where dependencies were installed without what builds. */
const VITE = 'node_modules/vite/bin/vite.js';
const stale = isRelease
  ? []
  : [...APPS].filter(
      ([app, entry]) => ageOf(`web/${app}/dist/${entry}`) < (app === 'docs' ? newestDocs : newestSource),
    );
if (stale.length > 0 && !existsSync(at(VITE))) install();
await Promise.all(stale.map(([app, entry]) => build(app, entry)));
