import { keepCompiledCode } from './compile-cache.ts';
import type { Config } from './config.ts';
import { collectWhenIdle } from './platform/kernel/collect-when-idle.ts';

/** Serves by this process alone. */
async function serve(config: Config): Promise<void> {
  const { run } = await import('./run.ts');
  const { renderStartupReport } = await import('./startup-report.ts');
  const running = await run(config);
  // Standard output is for log lines, one JSON object each.
  process.stderr.write(renderStartupReport(config, running));
  running.app.log.info(`Chartgate listens at ${running.address}`);
  void running.prepared.then(() => collectWhenIdle());
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void running.stop().then(() => process.exit(0)));
}

/** Serves as one of several processes. The one that supervises them says when to stop: Ctrl-C reaches both. */
async function serveWithOthers(config: Config): Promise<void> {
  const { run } = await import('./run.ts');
  const { joinProcesses } = await import('./platform/processes/served-process.ts');
  const running = await run({ ...config, metrics: { ...config.metrics, port: null } });
  joinProcesses(running.address, running.metrics);
  running.app.log.info(`Chartgate listens at ${running.address}`);
  void running.prepared.then(() => collectWhenIdle());
  let stopped: Promise<void> | undefined;
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => void (stopped ??= running.stop().then(() => process.exit(0))));
}

keepCompiledCode();
try {
  const { findBackupWarnings, findMisspeltVariables, readCheckedConfig } =
    await import('./check-environment.ts');
  const { isOneOfSeveral } = await import('./platform/processes/served-process.ts');
  const warn = (warnings: readonly string[]): void => {
    if (!isOneOfSeveral) for (const warning of warnings) process.stderr.write(`chartgate: ${warning}\n`);
  };
  warn(findMisspeltVariables(process.env));
  const config = await readCheckedConfig(process.env);
  warn(findBackupWarnings(config));
  if (isOneOfSeveral) await serveWithOthers(config);
  else if (config.processes === 1) await serve(config);
  else await (await import('./supervise.ts')).supervise(config);
} catch (error) {
  process.stderr.write(`chartgate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
