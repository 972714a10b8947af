import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildProcessEnvironment, ROOT } from '../harness/process.ts';
import { readMemory } from '../harness/process-memory.ts';
import { PROGRAM, UNPREPARED } from '../harness/program.ts';

/** A server process of its own, on one port for all its lives. */
export interface ServerNode {
  baseUrl: string;
  /** It answers, and nobody has asked it to end. */
  isUp: boolean;
  /** All it wrote but what it is and where it listens. */
  readonly output: string;
  /** What it said last of itself as it started; '' before. */
  readonly startupReport: string;
  /** The most memory it has had since its start; null where the system does not say. */
  readPeakMegabytes(): number | null;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Sends a signal, and waits for nothing. */
  signal(name: NodeJS.Signals): void;
  /** `kill -9`. */
  kill(): Promise<KillWindow>;
  /** In good order. */
  stop(): Promise<void>;
}

/** By the real clock, milliseconds: alive at `from`, dead at `to`. */
export interface KillWindow {
  from: number;
  to: number;
}

const STARTUP_REPORT = /^Chartgate .*\n(?: {2}.*\n)+/gm;

/** `root`: where the program is, if it is not this one. */
export function createServerNode(port: number, settings: Record<string, string>, root = ROOT): ServerNode {
  // A program of another version may have been built by none.
  const program = root === ROOT ? [...UNPREPARED, PROGRAM, 'serve'] : [path.join(root, 'server/main.ts')];
  let child: ChildProcess | undefined;
  let written = '';
  // Whatever becomes of the test.
  process.once('exit', () => child?.kill('SIGKILL'));
  const terminate = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    node.isUp = false;
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null) return null;
    const { promise, resolve } = Promise.withResolvers<number | null>();
    running.once('exit', resolve);
    running.kill(signal);
    return promise;
  };
  const node: ServerNode = {
    baseUrl: `http://127.0.0.1:${port}`,
    isUp: false,
    get output() {
      return written.replace(STARTUP_REPORT, '');
    },
    get startupReport() {
      return written.match(STARTUP_REPORT)?.at(-1) ?? '';
    },
    readPeakMegabytes: () => (child === undefined ? null : readMemory(child, 'VmHWM')),
    async start() {
      const started = (child = spawn(process.execPath, program, {
        env: { ...buildProcessEnvironment(), PORT: String(port), CHARTGATE_LOG_LEVEL: 'error', ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      }));
      for (const stream of [started.stdout, started.stderr])
        stream?.on('data', (bytes: Buffer) => (written += String(bytes)));
      while (!(await fetch(`${node.baseUrl}/readyz`).catch(() => null))?.ok) {
        if (started.exitCode !== null) throw new Error(`the server ended: ${node.output}`);
        await sleep(20);
      }
      node.isUp = true;
    },
    signal: (name) => void child?.kill(name),
    async kill() {
      const from = Date.now();
      await terminate('SIGKILL');
      return { from, to: Date.now() };
    },
    async stop() {
      const code = await terminate('SIGTERM');
      if (code !== 0 && code !== null) throw new Error(`the server ended with ${code}: ${node.output}`);
    },
  };
  return node;
}
