import { median } from './load.ts';

export const SIDES = ['before', 'now'] as const;
export type Side = (typeof SIDES)[number];

/** CPU-milliseconds, of the service and of the database server. */
export interface Cost {
  service: number;
  database: number;
}

export const createCosts = (): Record<Side, Cost[]> => ({ before: [], now: [] });

export const divide = ({ service, database }: Cost, by: number): Cost => ({
  service: service / by,
  database: database / by,
});

export function printCosts(what: string, costs: Record<Side, Cost[]>): void {
  process.stdout.write(`${what} (CPU; service + database; median, lowest to highest)\n`);
  const sums = SIDES.map((side) => costs[side].map(({ service, database }) => service + database));
  for (const [index, side] of SIDES.entries()) {
    const all = sums[index] as number[];
    const [service, database] = (['service', 'database'] as const).map((part) =>
      median(costs[side].map((cost) => cost[part])).toFixed(2),
    );
    process.stdout.write(
      `  ${side.padEnd(8)} ${median(all).toFixed(2).padStart(9)}   ${service} + ${database}   ${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}\n`,
    );
  }
  const [before, now] = sums.map((all) => median(all)) as [number, number];
  process.stdout.write(`  ${(((now - before) / before) * 100).toFixed(0)} %\n\n`);
}
