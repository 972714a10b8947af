import { keepCompiledCode } from './compile-cache.ts';
import type { Config } from './config.ts';
import { handleHangUps, type HangUps } from './hang-up.ts';
import { collectWhenIdle } from './platform/kernel/collect-when-idle.ts';
import type { RunningService } from './run.ts';
import type { StoreFacts } from './startup-report.ts';

/** Serves by this process alone. */
async function serve(config: Config, hangUps: HangUps): Promise<void> {
  const { run } = await import('./run.ts');
  const { renderStartupReport } = await import('./startup-report.ts');
  const running = await run(config);
  const stop = createStop(running);
  hangUps.serve({
    stop,
    reload: () =>
      running.app.log.warn('SIGHUP has no effect on one process: restart it for what has changed'),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  // Standard output is for log lines, one JSON object each.
  process.stderr.write(renderStartupReport(config, running));
  running.app.log.info(`Chartgate listens at ${running.address}`);
  void running.prepared.then(() => collectWhenIdle());
}

/** Serves as one of several processes. The one that supervises them says when to stop: Ctrl-C and a hang-up reach both. */
async function serveWithOthers(config: Config, hangUps: HangUps): Promise<void> {
  const { run } = await import('./run.ts');
  const { joinProcesses } = await import('./platform/processes/served-process.ts');
  const running = await run({ ...config, metrics: { ...config.metrics, port: null } });
  const { address, schema, secrets, warnings } = running;
  hangUps.serve({ stop() {}, reload() {} });
  process.on('SIGINT', () => {});
  process.once('SIGTERM', createStop(running));
  joinProcesses({ address, found: { schema, secrets, warnings } satisfies StoreFacts }, running.metrics);
  running.app.log.info(`Chartgate listens at ${address}`);
  void running.prepared.then(() => collectWhenIdle());
}

/** However often it is called, it stops once. */
function createStop(running: RunningService): () => void {
  let stopped: Promise<void> | undefined;
  return () => void (stopped ??= running.stop().then(() => process.exit(0)));
}

const hangUps = handleHangUps();
keepCompiledCode();
try {
  const {
    findBackupWarnings,
    findIdleWarnings,
    findMisspeltVariables,
    readServedConfig,
    requireSpaceForReserve,
  } = await import('./check-environment.ts');
  const { isOneOfSeveral } = await import('./platform/processes/served-process.ts');
  const warn = (warnings: readonly string[]): void => {
    if (!isOneOfSeveral) for (const warning of warnings) process.stderr.write(`chartgate: ${warning}\n`);
  };
  warn(findMisspeltVariables(process.env));
  const config = await readServedConfig(process.env);
  warn(findIdleWarnings(config));
  warn(findBackupWarnings(config));
  warn(requireSpaceForReserve(config));
  if (isOneOfSeveral) await serveWithOthers(config, hangUps);
  else if (config.processes === 1) await serve(config, hangUps);
  else await (await import('./supervise.ts')).supervise(config, hangUps);
} catch (error) {
  process.stderr.write(`chartgate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
