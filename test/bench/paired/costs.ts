import { median } from '../load.ts';

export const SIDES = ['before', 'now'] as const;
export type Side = (typeof SIDES)[number];

/** CPU-milliseconds, of the service and of the database server. */
export interface Cost {
  service: number;
  database: number;
}

/** A row of the comparison; the rounds of both versions in the same order. */
export interface ComparedRow {
  name: string;
  costs: Record<Side, Cost[]>;
  /** Why the version before has nothing to compare with. */
  missing?: string;
}

/** A version is slower where it costs so much more, and most rounds say so. */
const TOLERANCE = 0.05;

const toSum = ({ service, database }: Cost): number => service + database;

/** Prints a row as soon as it is there: median of the rounds, its two parts, the lowest and the highest. */
export function printRow({ name, costs, missing }: ComparedRow): void {
  print(`${name} (CPU-ms; service + database; median, lowest to highest)`);
  for (const side of SIDES) {
    const sums = costs[side].map(toSum);
    if (sums.length === 0) continue;
    const [service, database] = (['service', 'database'] as const).map((part) =>
      format(median(costs[side].map((cost) => cost[part]))),
    );
    print(
      `  ${side.padEnd(8)} ${format(median(sums)).padStart(9)}   ${service} + ${database}   ${format(Math.min(...sums))} to ${format(Math.max(...sums))}`,
    );
  }
  print(missing === undefined ? '' : `  not in the version before: ${missing}\n`);
}

/**
 * Prints all rows: medians, the change from round to round (its median, and its middle half as the spread), and a mark where
 * the version of now costs more than the tolerance and the spread is above nothing.
 */
export function printSummary(rows: readonly ComparedRow[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length));
  print(
    `${'CPU-ms'.padEnd(width)} ${'before'.padStart(10)} ${'now'.padStart(10)} ${'change'.padStart(8)}   spread`,
  );
  for (const { name, costs, missing } of rows) {
    const now = format(median(costs.now.map(toSum))).padStart(10);
    if (missing !== undefined) {
      print(`${name.padEnd(width)} ${''.padStart(10)} ${now}   not in the version before`);
      continue;
    }
    const before = format(median(costs.before.map(toSum))).padStart(10);
    const changes = costs.now.map((cost, round) => toSum(cost) / toSum(costs.before[round] as Cost) - 1);
    const [lower, middle, upper] = [0.25, 0.5, 0.75].map((share) => computeQuantile(changes, share)) as [
      number,
      number,
      number,
    ];
    const mark = middle > TOLERANCE && lower > 0 ? '   SLOWER' : '';
    print(
      `${name.padEnd(width)} ${before} ${now} ${toPercent(middle).padStart(8)}   ${toPercent(lower)} to ${toPercent(upper)}${mark}`,
    );
  }
}

/** Between two numbers in proportion. */
function computeQuantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const [below, above] = [Math.floor(at), Math.ceil(at)].map((index) => sorted[index] as number) as [
    number,
    number,
  ];
  return below + (above - below) * (at % 1);
}

const toPercent = (share: number): string => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
const format = (ms: number): string => ms.toFixed(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
