import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { StoreContent } from './writer.ts';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));
const FAULTS = new URL('./fsync-faults.ts', import.meta.url).href;

interface Options {
  dataDirectory: string;
  databaseUrl?: string | undefined;
  /** Of `fsync-faults.ts`. */
  faults?: Record<string, string>;
}

export interface WriterExit {
  code: number | null;
  signal: string | null;
  stderr: string;
}

export interface Writer {
  /** What it found in the store when it opened it; rejects when it ended before. */
  found: Promise<StoreContent>;
  /** Keys of all that was acknowledged so far. */
  stored: string[];
  /** For each of `stored`, how often data had been forced to disk since it began to write, where FSYNC_SHOWN. */
  forces: number[];
  /** Its exit, all it said read. */
  exited: Promise<WriterExit>;
  kill(): Promise<WriterExit>;
}

/** Ends with the test at the latest. */
export function runWriter(t: TestContext, mode: 'write' | 'read' | 'hold', options: Options): Writer {
  const { dataDirectory, databaseUrl, faults } = options;
  const preload = faults === undefined ? [] : ['--import', FAULTS];
  const child = spawn(process.execPath, [...preload, WRITER, mode, dataDirectory, databaseUrl ?? ''], {
    env: { ...process.env, ...faults },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => (stderr += String(bytes)));
  const exited = new Promise<WriterExit>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, stderr })),
  );
  const stored: string[] = [];
  const forces: number[] = [];
  let forced = 0;
  const onStored = (key: string): void => {
    stored.push(key);
    forces.push(forced);
  };
  const found = new Promise<StoreContent>((resolve, reject) => {
    void exited.then(() => reject(new Error(`the writer ended: ${stderr}`)));
    // Lines end with a newline: one that was cut off by the kill was not acknowledged in full.
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'writes') forced = 0;
      if (line === 'forced') forced++;
      if (line.startsWith('stored ') && line.length === 'stored '.length + 36) onStored(line.slice(7));
      if (line.startsWith('found ') && line.endsWith('}')) resolve(JSON.parse(line.slice(6)) as StoreContent);
    });
  });
  found.catch(() => {});
  return {
    found,
    stored,
    forces,
    exited,
    kill() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

/** Until it has written that much; throws what it said when it ended before. */
export async function waitUntilWritten(writer: Writer, count: number): Promise<void> {
  let exit: WriterExit | undefined;
  void writer.exited.then((ended) => (exit = ended));
  while (writer.stored.length < count) {
    if (exit) throw new Error(`the writer ended with ${exit.code ?? exit.signal}: ${exit.stderr}`);
    await sleep(5);
  }
}
