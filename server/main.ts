import { findMisspeltVariables, readCheckedConfig } from './check-environment.ts';
import { run } from './run.ts';
import { renderStartupReport } from './startup-report.ts';

try {
  for (const warning of findMisspeltVariables(process.env)) process.stderr.write(`chartgate: ${warning}\n`);
  const config = await readCheckedConfig(process.env);
  const running = await run(config);
  // Standard output is for log lines, one JSON object each.
  process.stderr.write(renderStartupReport(config, running));
  running.app.log.info(`Chartgate listens at ${running.address}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void running.stop().then(() => process.exit(0)));
  }
} catch (error) {
  process.stderr.write(`chartgate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
