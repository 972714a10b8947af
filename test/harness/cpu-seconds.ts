import fs from 'node:fs';

/**
 * CPU-seconds: what a test costs on a machine that others use too, where durations say little. Linux says them of every
 * process (`proc_pid_stat(5)`, in ticks of 10 ms); elsewhere they are those of this process alone.
 */
interface ProcessCost {
  parent: number;
  /** Its own, and of its children that have ended. */
  seconds: number;
}

/** Of a process and of all that it started, however indirectly, whether they have ended or not. */
export function readCpuSeconds(root: number = process.pid): number {
  if (!fs.existsSync('/proc/self/stat')) return process.cpuUsage().user / 1e6;
  const costs = new Map(
    fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readCost(name)),
  );
  const isBelow = (pid: number): boolean => {
    const parent = costs.get(pid)?.parent;
    return pid === root || (parent !== undefined && isBelow(parent));
  };
  return [...costs].reduce((sum, [pid, { seconds }]) => (isBelow(pid) ? sum + seconds : sum), 0);
}

function readCost(pid: string): [number, ProcessCost][] {
  try {
    // The name of a program may hold anything, parentheses too.
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [[Number(pid), { parent: Number(fields[1]), seconds: ticks / 100 }]];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** Adds what a file cost to the record of this run; one line, so that processes may write at once. */
export function recordCpuSeconds(file: string, seconds: number): void {
  const log = process.env['CHARTGATE_TEST_CPU_LOG'];
  if (log !== undefined) fs.appendFileSync(log, `${file} ${seconds.toFixed(1)}\n`);
}

/** What a run cost: all of it, and the files that cost most. */
export function reportCpuSeconds(log: string, count: number): string {
  if (!fs.existsSync(log)) return '';
  const costs = fs
    .readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): [string, number] => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])])
    .sort(([, one], [, other]) => other - one);
  const total = costs.reduce((sum, [, seconds]) => sum + seconds, 0);
  const rows = costs.slice(0, count).map(([file, seconds]) => `  ${seconds.toFixed(1).padStart(7)}  ${file}`);
  return `CPU-seconds: ${total.toFixed(0)}, of which\n${rows.join('\n')}`;
}
