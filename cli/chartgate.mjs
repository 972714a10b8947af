#!/usr/bin/env node
// `npx chartgate`: installs what is missing, then runs the command line on the Node that the project brings. Runs on any Node 20 or newer.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

await import('../tools/install.mjs');

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const child = spawn(at('../node_modules/.bin/node'), [at('main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1);
});
