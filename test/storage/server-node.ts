import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processEnvironment, ROOT } from '../harness/process.ts';

/** A server process of its own, on one port for all its lives. */
export interface ServerNode {
  baseUrl: string;
  /** It answers, and nobody has asked it to end. */
  up: boolean;
  /** All it wrote. */
  said: string;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<Killed>;
  /** In good order. */
  stop(): Promise<void>;
}

/** By the real clock, milliseconds: alive at `from`, dead at `to`. */
export interface Killed {
  from: number;
  to: number;
}

export function serverNode(port: number, settings: Record<string, string>): ServerNode {
  let child: ChildProcess | undefined;
  // Whatever becomes of the test.
  process.once('exit', () => child?.kill('SIGKILL'));
  const ended = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    node.up = false;
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
    up: false,
    said: '',
    async start() {
      const started = (child = spawn(process.execPath, [path.join(ROOT, 'server/main.ts')], {
        env: { ...processEnvironment(), PORT: String(port), CHARTGATE_LOG_LEVEL: 'error', ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      }));
      for (const stream of [started.stdout, started.stderr])
        stream?.on('data', (bytes: Buffer) => (node.said += String(bytes)));
      while (!(await fetch(`${node.baseUrl}/readyz`).catch(() => null))?.ok) {
        if (started.exitCode !== null) throw new Error(`the server ended: ${node.said}`);
        await sleep(20);
      }
      node.up = true;
    },
    async kill() {
      const from = Date.now();
      await ended('SIGKILL');
      return { from, to: Date.now() };
    },
    async stop() {
      const code = await ended('SIGTERM');
      if (code !== 0 && code !== null) throw new Error(`the server ended with ${code}: ${node.said}`);
    },
  };
  return node;
}
