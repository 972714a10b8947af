import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export interface ServerProcess {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The arguments of Node for a command of a checkout, as it is built; as sources where its version is not. */
export function toProgram(args: readonly string[], root = ROOT): string[] {
  const built = path.join(root, 'dist/chartgate.js');
  return [existsSync(built) ? built : path.join(root, 'cli/main.ts'), ...args];
}

/** As `npm start` runs it. */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=16'];

/** Starts the service in a process of its own; resolves when it answers. */
export function startChartgate(port: number, environment: Record<string, string>): Promise<ServerProcess> {
  const [file = '', ...args] = toProgram(['serve']);
  const own = { PORT: String(port), MALLOC_ARENA_MAX: '1', ...environment };
  return startProcess(file, { port, flags: NODE_FLAGS, args, environment: own });
}

/** A server in a process of its own; resolves when it answers. */
export async function startProcess(
  file: string,
  {
    port,
    flags = [],
    args = [],
    environment = {},
  }: { port: number; flags?: readonly string[]; args?: string[]; environment?: Record<string, string> },
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...flags, file, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilAnswering(url, child);
  return {
    url,
    pid: child.pid as number,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function waitUntilAnswering(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    if (child.exitCode !== null) throw new Error(`${url}: the process ended with ${child.exitCode}`);
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}
