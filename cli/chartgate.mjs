#!/usr/bin/env node
// `npx chartgate`: installs what is missing, then runs the command line on the Node that the project brings. Runs on any Node 20 or newer.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

await import('../tools/install-program.mjs');

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
// Beside this package, or above it where npm put the dependencies of a release there.
const node = createRequire(import.meta.url).resolve('node/bin/node');
const program = at('../dist/chartgate.js');
const child = spawn(node, ['--max-semi-space-size=16', program, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // One heap for all threads: what each keeps for itself adds up to 10 MB.
  env: { MALLOC_ARENA_MAX: '1', ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1);
});
