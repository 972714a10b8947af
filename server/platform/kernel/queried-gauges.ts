import { Gauge, type Registry } from 'prom-client';
import { withDeadline } from './with-deadline.ts';

/** A store that does not answer must not keep back the figures of the process, least of all then. */
const QUERY_TIMEOUT_MS = 2000;

export interface QueriedGauge {
  name: string;
  help: string;
  labelNames?: string[];
  /** Which value counts of those that several processes of one node report. */
  aggregator?: 'min' | 'max';
  fill(gauge: Gauge): Promise<void>;
}

/** Registers gauges that are queried from the store at each scrape, so that every node reports the same. */
export function registerQueriedGauges(registry: Registry, gauges: readonly QueriedGauge[]): void {
  for (const { fill, ...options } of gauges)
    registry.registerMetric(
      new Gauge({
        aggregator: 'max',
        ...options,
        registers: [],
        async collect() {
          // No value is reported for what could not be queried or exists no more.
          this.reset();
          if (!options.labelNames) this.remove();
          await withDeadline(QUERY_TIMEOUT_MS, fill(this)).catch(() => {});
        },
      }),
    );
}
