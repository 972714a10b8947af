import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of Linux on every machine that runs Node. */
const MS_PER_TICK = 10;

interface ProcessTimes {
  /** Its own, threads that ended included: user and system time, each cut to whole ticks. */
  own: number;
  /** That of its living threads, to the nanosecond; 0 where the kernel does not say. */
  living: number;
  /** That of its children that ended. */
  ended: number;
}

/** CPU-milliseconds so far, by process. */
export type CpuTimes = ReadonlyMap<number, ProcessTimes>;

const UNUSED: ProcessTimes = { own: 0, living: 0, ended: 0 };

/** Reads what these processes and all below them have used so far. Linux only. */
export function readCpuTimes(roots: readonly number[]): CpuTimes {
  const all = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : [],
  );
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const withChildren = (each: Stat): Stat[] => [
    each,
    ...(byParent.get(each.pid) ?? []).flatMap(withChildren),
  ];
  return new Map(
    all
      .filter(({ pid }) => roots.includes(pid))
      .flatMap(withChildren)
      .map(({ pid, own, ended }) => [pid, { own, ended, living: readLivingThreads(pid) }]),
  );
}

/** Computes the CPU-milliseconds between two readings. */
export function computeCpuMs(start: CpuTimes, end: CpuTimes): number {
  let ms = 0;
  for (const pid of new Set([...start.keys(), ...end.keys()])) {
    const [first, last] = [start.get(pid) ?? UNUSED, end.get(pid) ?? UNUSED];
    const [own, living] = [last.own - first.own, last.living - first.living];
    // Ticks of the service and ten backends at rest are out by up to 200 ms; but only they have threads that ended meanwhile.
    ms += (Math.abs(own - living) < 2 * MS_PER_TICK ? living : own) + last.ended - first.ended;
  }
  return ms;
}

interface Stat {
  pid: number;
  parent: number;
  own: number;
  ended: number;
}

function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the command may hold blanks and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const times = fields.slice(11, 15).map((ticks) => Number(ticks) * MS_PER_TICK);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = times;
    return { pid, parent: Number(fields[1]), own: user + system, ended: endedUser + endedSystem };
  } catch {
    // It has ended.
    return null;
  }
}

function readLivingThreads(pid: number): number {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]),
    );
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
  } catch {
    return 0;
  }
}

/** Of a process, in three seconds: an idle node looks for work each second. */
const MAX_AT_REST_MS = 30;

/** What a process does on its own after its start (a reserve of 128 MB is written) is no part of what is measured after it. */
export async function waitUntilAtRest(roots: readonly (number | undefined)[]): Promise<void> {
  const pids = roots.flatMap((pid) => pid ?? []);
  for (let used = Number.POSITIVE_INFINITY, last = readCpuTimes(pids); used > MAX_AT_REST_MS * pids.length;) {
    await sleep(3000);
    const now = readCpuTimes(pids);
    used = computeCpuMs(last, now);
    last = now;
  }
}
