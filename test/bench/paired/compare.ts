import type { Engine } from '../../harness/store.ts';
import { computeCpuMs, readCpuTimes, type CpuTimes } from '../cpu-time.ts';
import { createContender, type Contender } from './contender.ts';
import { printRow, type ComparedRow, type Cost, type Side } from './costs.ts';
import type { Row, Subject, Workload } from './workload.ts';

const ROUNDS = Number(process.env['CHARTGATE_BENCH_ROUNDS'] ?? 7);

interface OpenedSubject extends Subject {
  side: Side;
}

/** Compares two versions in interleaved rounds; which begins alternates too. Prints each row when it is done. */
export async function compareVersions(
  workload: Workload,
  engine: Engine,
  roots: Record<Side, string>,
): Promise<ComparedRow[]> {
  const contenders: Contender[] = [];
  const open = async (side: Side): Promise<OpenedSubject> => {
    const contender = await createContender({ side, engine, root: roots[side] });
    contenders.push(contender);
    return { side, ...(await workload.open(contender)) };
  };
  try {
    const present = await open('now');
    const earlier = await open('before').catch(toReason);
    const rows: ComparedRow[] = [];
    for (const name of present.rows.keys()) {
      const row = await compareRow(workload, name, { earlier, present });
      row.name = `${workload.name}: ${name}, ${engine}`;
      printRow(row);
      rows.push(row);
    }
    return rows;
  } finally {
    for (const contender of contenders) await contender.stop();
  }
}

/** What an old version cannot do shows when it is made ready, or the first time; later it is an error of the benchmark. */
const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function compareRow(
  { rounds = ROUNDS, warmsUp }: Workload,
  name: string,
  { earlier, present }: { earlier: OpenedSubject | string; present: OpenedSubject },
): Promise<ComparedRow> {
  const row: ComparedRow = { name, costs: { before: [], now: [] } };
  if (typeof earlier === 'string') row.missing = earlier;
  for (let round = warmsUp ? 0 : 1; round <= rounds; round++) {
    const isFirst = round === (warmsUp ? 0 : 1);
    const subjects =
      typeof earlier === 'string' || row.missing !== undefined ? [present] : [earlier, present];
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const measured = await measure(subject, subject.rows.get(name) as Row).catch((error: unknown) => {
        if (!isFirst || subject.side === 'now') throw error;
        row.missing = toReason(error);
        return null;
      });
      if (measured !== null && round > 0) row.costs[subject.side].push(measured);
    }
  }
  return row;
}

async function measure(subject: Subject, row: Row): Promise<Cost> {
  try {
    await row.prepare?.();
    const start = readTimes(subject);
    const count = await row.run();
    const end = readTimes(subject);
    return {
      service: computeCpuMs(start.service, end.service) / count,
      database: computeCpuMs(start.database, end.database) / count,
    };
  } finally {
    await row.finish?.();
  }
}

function readTimes(subject: Subject): Record<keyof Cost, CpuTimes> {
  const { service, database } = subject.pids();
  return {
    service: readCpuTimes(service === undefined ? [] : [service]),
    database: readCpuTimes(database === undefined ? [] : [database]),
  };
}
