import type { Command } from 'commander';

/** `chartgate serve` does the same as `npm start`. */
export function configureServeCommand(command: Command): void {
  command.action(async () => void (await import('../../server/main.ts')));
}
