import type { Command } from 'commander';

/** `chartgate serve`: the same as `npm start`. */
export function registerServeCommand(program: Command): void {
  program
    .command('serve')
    .description('serve until it is stopped')
    .action(async () => void (await import('../../server/main.ts')));
}
