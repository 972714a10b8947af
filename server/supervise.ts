import { listenForConfiguredMetrics } from './listen.ts';
import type { Config } from './config.ts';
import type { HangUps } from './hang-up.ts';
import { superviseProcesses } from './platform/processes/supervise.ts';
import { renderStartupReport, type StoreFacts } from './startup-report.ts';

/** Serves by several processes that run this same program, until a signal ends them. SIGHUP restarts them one after another. */
export async function supervise(config: Config, hangUps: HangUps): Promise<void> {
  const report = (line: string): void => void process.stderr.write(`chartgate: ${line}\n`);
  const processes = await superviseProcesses({ count: config.processes, report });
  const metrics = await listenForConfiguredMetrics(config, processes.metrics);
  const { address, found } = processes.facts;
  process.stderr.write(
    renderStartupReport(config, {
      ...(found as StoreFacts),
      address,
      metricsAddress: metrics?.address ?? null,
    }),
  );
  let stopped: Promise<void> | undefined;
  const stop = (): void => void (stopped ??= processes.stop().then(() => process.exit(0)));
  hangUps.serve({
    stop,
    reload: () => {
      processes.restart().then(
        () => report('all processes were restarted'),
        (error: Error) => report(`${error.message}; those that serve go on`),
      );
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
}
