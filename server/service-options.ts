import type { RecordSources } from './surfaces/oauth/requests/prepare-records.ts';
import type { SourceLimits } from './clinical/sources/limits.ts';
import type { Config } from './config.ts';
import type { Db } from './platform/db/db.ts';
import type { StartThread } from './platform/jobs/job-threads.ts';
import type { Clock } from './platform/kernel/clock.ts';
import type { PooledClient } from './platform/outbound/outbound-client.ts';
import type { PlatformOptions } from './platform/platform.ts';
import type { Telemetry } from './platform/telemetry/telemetry.ts';

/** What a service is made of; and what a test may put in the place of the world outside, besides. */
export interface ServiceOptions extends Partial<
  Pick<PlatformOptions, 'outbound' | 'logStream' | 'bodyLimits' | 'guardsClock'>
> {
  config: Config;
  db: Db;
  clock: Clock;
  /** Requests to the endpoints of webhooks. */
  webhookOutbound?: PooledClient;
  /** Servers that a patient's record is fetched from after consent. */
  connectedSources?: RecordSources['listConnected'];
  /** What connected servers may cost; tests do not wait for as long, or for as much. */
  sourceLimits?: Partial<SourceLimits>;
  /** Where traces and metrics go; null, or absent: nowhere. */
  telemetry?: Telemetry | null;
  /** A thread that uploads are read in; tests have some that outlive a service. */
  startImportThread?: StartThread;
}
