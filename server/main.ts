import { readConfig } from './config.ts';
import { run } from './run.ts';

try {
  const running = await run(readConfig(process.env));
  running.app.log.info(`Chartgate listens at ${running.address}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void running.stop().then(() => process.exit(0)));
  }
} catch (error) {
  process.stderr.write(`chartgate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
