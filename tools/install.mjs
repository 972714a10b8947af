// Installs and builds what is missing, so that every npm script works from a fresh clone. Runs on any Node 20 or newer.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { ageOf, at, build, isRelease } from './build.mjs';

/** Standard output belongs to the command that was asked for. */
function run(command, ...args) {
  const { status } = spawnSync(command, args, {
    cwd: at('.'),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** A release brings its pages built, and its dependencies as npm-shrinkwrap.json, the only such file that npm publishes. */
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
  // What pages read is completed by the contract.
  ...(isRelease
    ? []
    : readdirSync(at('contract'), { recursive: true }).map((path) => ageOf(`contract/${path}`))),
  ageOf('tools/answer-shapes.ts'),
);
const newestDocs = Math.max(newestSource, ...[...DOCS_SOURCES, ...DOCS_FILES].map(ageOf));

/** Builds an app where it belongs. */
function buildApp(app, entry) {
  const command =
    app === 'docs'
      ? ['tools/docs-site/main.ts']
      : [VITE, 'build', `web/${app}`, '--logLevel=warn', '--emptyOutDir', '--outDir'];
  return build({ name: `web/${app}`, folder: `web/${app}/dist`, entry, command });
}

/** Where dependencies were installed without what builds. */
const VITE = 'node_modules/vite/bin/vite.js';
const stale = isRelease
  ? []
  : [...APPS].filter(
      ([app, entry]) => ageOf(`web/${app}/dist/${entry}`) < (app === 'docs' ? newestDocs : newestSource),
    );
if (stale.length > 0 && !existsSync(at(VITE))) install();
await Promise.all(stale.map(([app, entry]) => buildApp(app, entry)));
