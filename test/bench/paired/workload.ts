import type { Contender } from './contender.ts';

/** What one version does for a row of the comparison. */
export interface Row {
  /** Comes before each round and costs nothing. */
  prepare?(): Promise<void>;
  /** Does what is measured, and says how many times. */
  run(): Promise<number>;
  /** Comes after each round, also one that failed, and costs nothing. */
  finish?(): Promise<void>;
}

/** A version that is ready for its rounds. */
export interface Subject {
  /** The processes that are measured, with all below them. They may be others in each round. */
  pids(): { service: number | undefined; database: number | undefined };
  /** By name, the same names in both versions. */
  rows: ReadonlyMap<string, Row>;
}

/** A group of rows; `CHARTGATE_BENCH_ONLY` selects by `name`. */
export interface Workload {
  name: string;
  /** Where they are not those of `CHARTGATE_BENCH_ROUNDS`. */
  rounds?: number;
  /** The first round is not counted, unless each begins with processes of its own. */
  warmsUp: boolean;
  open(contender: Contender): Promise<Subject>;
}
