import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The memory of a process in MB: `VmRSS` is now, `VmHWM` the highest since it began. null where the system does not say. */
export function readMemory({ pid }: ChildProcess, name: 'VmRSS' | 'VmHWM'): number | null {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return null;
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8')) ?? [];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
}
