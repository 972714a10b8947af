import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of a process, as `Registry.getMetricsAsJSON` gives them. */
export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** What a process found as it started, for the report of the one that supervises, which opens no store. */
export interface StartFacts {
  /** Where it listens, `http://127.0.0.1:3000`. */
  address: string;
  /** What the report says of the store, as the program has it: it passes here as JSON. */
  found: unknown;
}

/** What the processes of one service say to each other, besides what libraries do over the same channel. */
export type ProcessMessage =
  | { chartgate: 'ready'; facts: StartFacts }
  /** To a process: for its own metrics. To the one that supervises: for the sum of all. */
  | { chartgate: 'metrics_wanted'; id: number }
  | { chartgate: 'metrics'; id: number; metrics: Metrics }
  | { chartgate: 'summed_metrics'; id: number; text: string };

/** Returns null for what is a library's. */
export const parseMessage = (message: unknown): ProcessMessage | null =>
  typeof message === 'object' && message !== null && 'chartgate' in message
    ? (message as ProcessMessage)
    : null;
