import type { Command } from 'commander';
import { readServedConfig } from '../../server/check-environment.ts';
import { runDemo } from '../demo/run-demo.ts';

/** `chartgate demo` runs the main job from end to end on this machine, then goes on serving. */
export function configureDemoCommand(command: Command): void {
  command.option('--exit', 'stop after the answer').action(async (options: { exit?: boolean }) => {
    // Agents that call tools in parallel refresh in parallel: the demo must not end their session for that.
    const defaults = {
      CHARTGATE_LOG_LEVEL: 'warn',
      CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: '60',
      // What the demo makes never stands beside an organization of one's own.
      CHARTGATE_DATA_DIR: './demo-data',
    };
    const config = await readServedConfig({ ...defaults, ...process.env });
    const demo = await runDemo(config, (line) => void process.stdout.write(`${line}\n`));
    if (options.exit) {
      await demo.stop();
      return;
    }
    process.stdout.write('\nServing; Ctrl+C ends.\n');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => void demo.stop().then(() => process.exit(0)));
  });
}
