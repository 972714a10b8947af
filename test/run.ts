import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ensureChromium } from './harness/chromium.ts';

/**
 * `npm test [FILE …]`: every test, or the named ones, in a process more than there are cores: each waits for its database,
 * its browser or a time limit for about a third of its time.
 */
const named = process.argv.slice(2);
const files =
  named.length > 0 ? named : globSync(['{contract,documents,server,cli,tools,test,web}/**/*.test.ts']).sort();
if (files.some((file) => file.includes('browser'))) ensureChromium();
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-global-setup=test/setup.ts',
    `--test-concurrency=${availableParallelism() + 1}`,
    '--test-timeout=300000',
    '--disable-warning=ExperimentalWarning',
    ...files,
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? 'node_modules/.cache/node',
    },
  },
);
process.exitCode = status ?? 1;
