import { readFileSync } from 'node:fs';

/** Clock ticks of Linux in a second, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** How many times its limit a process may take that the machine hardly lets run. */
export const MAX_TURNS = 4;

/** Returns the milliseconds of CPU time that a process has used; null where the system does not say. */
export function readCpuMs(pid: number): number | null {
  try {
    // Behind the name, which may have spaces: state, ten numbers, the time in user mode and in the kernel.
    const [, rest = ''] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isNaN(ticks) ? null : (ticks * 1000) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

interface TimeLimit {
  pid: number;
  ms: number;
  /** For tests, which cannot wait. */
  wait?: (callback: () => void, ms: number) => NodeJS.Timeout;
}

/**
 * Calls back when a process has had `ms` for what it does. On a busy machine, where it had less than half of that, it gets
 * as long again, up to four times: a letter is not refused because others are read. Returns what ends the watch.
 */
export function limitTime({ pid, ms, wait = setTimeout }: TimeLimit, onEnd: () => void): () => void {
  const before = readCpuMs(pid);
  let turns = 1;
  let timer = wait(look, ms);
  function look(): void {
    const now = readCpuMs(pid);
    const isStarved = before !== null && now !== null && now - before < ms / 2;
    if (!isStarved || turns === MAX_TURNS) return onEnd();
    turns++;
    timer = wait(look, ms);
  }
  return () => clearTimeout(timer);
}
