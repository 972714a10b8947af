import { spawnSync } from 'node:child_process';

/** Runs all static checks even when one fails, so that one run shows everything. */
const CHECKS: readonly [name: string, command: string, ...args: string[]][] = [
  ['types', 'tsc', '-p', '.'],
  ['types of the pages', 'tsc', '-p', 'web'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'oxfmt', '--check', '.'],
  ['unused code', 'knip'],
];

const failed = CHECKS.filter(([name, command, ...args]) => {
  process.stdout.write(`\n— ${name}\n`);
  return spawnSync(command, args, { stdio: 'inherit' }).status !== 0;
});

process.stdout.write(
  failed.length === 0 ? '\nAll checks passed.\n' : `\nFailed: ${failed.map(([name]) => name).join(', ')}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
