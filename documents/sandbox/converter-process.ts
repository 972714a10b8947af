import { spawn, type ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProcessDiedError } from '../converter.ts';
import { DOCUMENT_LIMITS } from '../document-limits.ts';
import { limitTime } from './time-limit.ts';
import { PIPE, readFrames, writeFrame, type ProcessData, type Reply, type Request } from './messages.ts';

/** A process that handles one request at a time. */
export interface ConverterProcess {
  /** Throws ProcessDiedError where the document ended the process, or the reason of the signal, which ends it. */
  send(request: Request, document: Buffer, signal?: AbortSignal): Promise<Reply>;
  isAlive(): boolean;
  kill(): Promise<void>;
}

export interface ProcessLimits {
  heapMb: number;
  /** Resident bytes, buffers included. */
  memory: number;
  /** Milliseconds over one document, after which the process has a lower priority than those over other documents. */
  slowMs: number;
}

const ROOT = realpathSync(resolve(import.meta.dirname, '../..'));

/** The folder of the dependencies: our own, or the one that npm put a release and its dependencies into. */
const MODULES = createRequire(import.meta.url)
  .resolve('slimdom')
  .replace(/(?<=\/node_modules)\/slimdom\/.*$/, '');

const READABLE_PATHS = ['package.json', 'node_modules', MODULES, 'contract', 'documents', 'dist'];

/** JSON spells a control character in six letters; a process that writes more is ended. */
const MAX_REPLY_BYTES = 2 * DOCUMENT_LIMITS.outputBytes;

/**
 * Starts a process that has nothing but its code: no environment, no output, no files but our code to read and none to
 * write. A thread would not do: V8 ends the whole process when a thread with a limit of its own allocates one large piece
 * of memory beyond it (Node 24: a string that is doubled again and again); only small pieces end the thread alone.
 */
export async function startProcess(modules: URL, limits: ProcessLimits): Promise<ConverterProcess> {
  const child = spawn(process.execPath, buildArguments(modules, limits), {
    env: {},
    // The warnings of a parser quote the document.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  lowerPriority(child, PRIORITY);
  let alive = true;
  const exit = waitForExit(child);
  void exit.then(() => (alive = false));
  // A broken pipe means that the process exits, which is awaited.
  const pipe = (child.stdio[PIPE] as Socket).on('error', () => {});
  const replies = readFrames(pipe, MAX_REPLY_BYTES);
  const started = await readReply(child, replies);
  if (started === null) throw new Error('the process for documents did not start');
  const unrefProcess = (): void => {
    child.unref();
    pipe.unref();
  };
  unrefProcess();
  const end = (): void => {
    alive = false;
    child.kill('SIGKILL');
  };
  return {
    async send(request, document, signal) {
      child.ref();
      pipe.ref();
      writeFrame(pipe, Buffer.from(JSON.stringify(request)));
      writeFrame(pipe, document);
      signal?.addEventListener('abort', end);
      const stopYielding = yieldAfter(child, limits.slowMs);
      const reply = await awaitReply({ child, replies, exit }, request.ms);
      const hasYielded = stopYielding();
      signal?.removeEventListener('abort', end);
      if (reply instanceof ProcessDiedError) {
        alive = false;
        signal?.throwIfAborted();
        throw reply;
      }
      // A priority cannot be raised again.
      if (hasYielded) end();
      else unrefProcess();
      return reply;
    },
    isAlive: () => alive,
    async kill() {
      child.ref();
      end();
      await exit;
    },
  };
}

const waitForExit = (child: ChildProcess): Promise<NodeJS.Signals | null> =>
  new Promise((done) => child.once('exit', (_code, signal) => done(signal)).once('error', () => done(null)));

/** Below the service itself, whose answers a patient waits for. */
const PRIORITY = 10;

/** Below the processes over documents that are read at once, as nearly all are: a third of the time they have. */
const SLOW_PRIORITY = 15;

/** Lowers the priority of a process that is over one document for longer. Returns what says whether it did, and ends that. */
function yieldAfter(child: ChildProcess, ms: number): () => boolean {
  let hasYielded = false;
  const timer = setTimeout(() => {
    hasYielded = true;
    lowerPriority(child, SLOW_PRIORITY);
  }, ms);
  return () => (clearTimeout(timer), hasYielded);
}

/** Some systems do not permit it. */
function lowerPriority({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority);
  } catch {
    // The process is as good without.
  }
}

function buildArguments(modules: URL, { heapMb, memory }: ProcessLimits): string[] {
  const data: ProcessData = { modules: modules.href, memory, service: process.pid };
  return [
    `--max-old-space-size=${heapMb}`,
    '--permission',
    // Folder by folder, since the service's data may be in the same folder as its code.
    ...READABLE_PATHS.map((name) => `--allow-fs-read=${resolve(ROOT, name)}`),
    `--allow-fs-read=${fileURLToPath(modules)}`,
    '--allow-worker',
    fileURLToPath(new URL('./document-process.ts', import.meta.url)),
    JSON.stringify(data),
  ];
}

/** Returns null when there are no more; a process that sends an invalid frame is ended. */
async function readReply(
  child: ChildProcess,
  replies: AsyncGenerator<Buffer, undefined>,
): Promise<Buffer | null> {
  try {
    return (await replies.next()).value ?? null;
  } catch {
    child.kill('SIGKILL');
    return null;
  }
}

const TOO_LONG = ['document_too_complex', 'Reading the document takes too long.'] as const;
const TOO_LARGE = ['document_too_large', 'Reading the document takes too much memory.'] as const;
const CRASHED = ['document_unreadable', 'The document could not be read.'] as const;

interface PendingReply {
  child: ChildProcess;
  replies: AsyncGenerator<Buffer, undefined>;
  exit: Promise<NodeJS.Signals | null>;
}

/** Returns the reply; where there is none, the reason as an error. */
async function awaitReply(
  { child, replies, exit }: PendingReply,
  ms: number,
): Promise<Reply | ProcessDiedError> {
  let isLate = false;
  const endWatch = limitTime({ pid: child.pid as number, ms }, () => {
    isLate = true;
    child.kill('SIGKILL');
  });
  const reply = await readReply(child, replies);
  endWatch();
  if (reply !== null) return JSON.parse(reply.toString('utf8')) as Reply;
  // Killed by its own watch or by the kernel for its memory, or aborted by V8; or it exited by itself.
  const reason = isLate ? TOO_LONG : (await exit) === null ? CRASHED : TOO_LARGE;
  return new ProcessDiedError(reason[0], reason[1]);
}
