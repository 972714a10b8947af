import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of Linux on every machine that runs Node. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  pid: number;
  parent: number;
  /** Its own time and that of its children that ended, in ticks. */
  ticks: number;
}

function readTimes(pid: number): ProcessTimes | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the command may hold blanks and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), ticks };
  } catch {
    // It has ended.
    return null;
  }
}

/** Reads the CPU-milliseconds that these processes and all below them have used so far. Linux only. */
export function readCpuTime(roots: readonly number[]): number {
  const all = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (readTimes(Number(name)) ?? []) : [],
  );
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const sum = (each: ProcessTimes): number =>
    each.ticks + (byParent.get(each.pid) ?? []).reduce((total, child) => total + sum(child), 0);
  return (
    (all.filter(({ pid }) => roots.includes(pid)).reduce((total, each) => total + sum(each), 0) * 1000) /
    TICKS_PER_SECOND
  );
}

/** What a process does on its own after its start (a reserve of 128 MB is written) is no part of what is measured after it. */
export async function waitUntilAtRest(roots: readonly (number | undefined)[]): Promise<void> {
  const pids = roots.flatMap((pid) => pid ?? []);
  for (let used = Number.POSITIVE_INFINITY, last = readCpuTime(pids); used > 30;) {
    await sleep(3000);
    const now = readCpuTime(pids);
    used = now - last;
    last = now;
  }
}
