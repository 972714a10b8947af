import type { Registry } from 'prom-client';
import { ConfigurationError, type Config } from './config.ts';
import { listenForMetrics, type MetricsServer } from './platform/http/metrics-server.ts';

/** Listens; an address that cannot be had is a fault of the configuration. */
export async function listen<T>(action: () => Promise<T>, setting: string): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new ConfigurationError([`${setting} is in use by another program`]);
    if (code === 'EACCES')
      throw new ConfigurationError([`${setting} needs rights that this user does not have`]);
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new ConfigurationError([
        `HOST is a name that leads to no address (${code}); set one of this machine, such as 127.0.0.1`,
      ]);
    if (code === 'EADDRNOTAVAIL') throw new ConfigurationError(['HOST is no address of this machine']);
    throw error;
  }
}

/** Serves metrics on a port of their own where one is configured. */
export async function listenForConfiguredMetrics(
  { http: { host }, metrics: { port, token } }: Config,
  metrics: Pick<Registry, 'metrics' | 'contentType'>,
): Promise<MetricsServer | null> {
  if (port === null) return null;
  return listen(() => listenForMetrics(metrics, { host, port, token }), `CHARTGATE_METRICS_PORT ${port}`);
}
