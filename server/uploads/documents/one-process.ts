import { spawn, type ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentUnreadable } from './converter.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { framesFrom, writeFrame } from './frames.ts';
import { PIPE, type ProcessData, type Reply, type Request } from './process-messages.ts';

/** A process that is asked one thing at a time. */
export interface OneProcess {
  /** Throws DocumentUnreadable where the document was too much for it; then the process is gone. */
  ask(request: Request, document: Buffer): Promise<Reply>;
  isAlive(): boolean;
  end(): Promise<void>;
}

export interface ProcessLimits {
  heapMb: number;
  /** Bytes, all in all. */
  memory: number;
}

const ROOT = realpathSync(resolve(import.meta.dirname, '../../..'));

const CODE = ['package.json', 'node_modules', 'contract', 'server'];

/** JSON spells a control character in six letters; a process that writes more is not to be listened to. */
const LONGEST_REPLY = 2 * DOCUMENT_LIMITS.outputBytes;

/**
 * Starts a process that has nothing but its code: no environment, no output, no files but ours to read and none to
 * write. A thread would not do: V8 ends the whole process when a thread with a limit of its own asks for one large piece
 * of memory beyond it (Node 24: a string that is doubled again and again); only small pieces end the thread alone.
 */
export async function startProcess(modules: URL, limits: ProcessLimits): Promise<OneProcess> {
  const child = spawn(process.execPath, argumentsFor(modules, limits), {
    env: {},
    // What a parser complains of quotes the document.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  let alive = true;
  const exit = new Promise<NodeJS.Signals | null>((done) =>
    child.once('exit', (_code, signal) => done(signal)).once('error', () => done(null)),
  );
  void exit.then(() => (alive = false));
  const pipe = child.stdio[PIPE] as Socket;
  // A pipe that breaks says no more than the exit of whom it leads to.
  pipe.on('error', () => {});
  const replies = framesFrom(pipe, LONGEST_REPLY);
  const started = await nextOf(child, replies);
  if (started === null) throw new Error('the process for documents did not start');
  const rest = (): void => {
    child.unref();
    pipe.unref();
  };
  rest();
  return {
    async ask(request, document) {
      child.ref();
      pipe.ref();
      writeFrame(pipe, Buffer.from(JSON.stringify(request)));
      writeFrame(pipe, document);
      const reply = await replyOf({ child, replies, exit }, request.ms);
      if (reply instanceof DocumentUnreadable) {
        alive = false;
        throw reply;
      }
      rest();
      return reply;
    },
    isAlive: () => alive,
    async end() {
      child.ref();
      child.kill('SIGKILL');
      await exit;
    },
  };
}

function argumentsFor(modules: URL, { heapMb, memory }: ProcessLimits): string[] {
  const data: ProcessData = { modules: modules.href, memory };
  return [
    `--max-old-space-size=${heapMb}`,
    '--permission',
    // Our data may lie beside our code.
    ...CODE.map((name) => `--allow-fs-read=${resolve(ROOT, name)}`),
    `--allow-fs-read=${fileURLToPath(modules)}`,
    '--allow-worker',
    resolve(import.meta.dirname, 'document-process.ts'),
    JSON.stringify(data),
  ];
}

/** Null when there are no more; who says what cannot be is ended. */
async function nextOf(
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
const DIED = ['document_unreadable', 'The document could not be read.'] as const;

interface Asked {
  child: ChildProcess;
  replies: AsyncGenerator<Buffer, undefined>;
  exit: Promise<NodeJS.Signals | null>;
}

/** The answer; where there is none, why. */
async function replyOf({ child, replies, exit }: Asked, ms: number): Promise<Reply | DocumentUnreadable> {
  let late = false;
  const clock = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, ms);
  const reply = await nextOf(child, replies);
  clearTimeout(clock);
  if (reply !== null) return JSON.parse(reply.toString('utf8')) as Reply;
  // Killed by its own watch or by the kernel for its memory, or aborted by V8; or it left by itself.
  const why = late ? TOO_LONG : (await exit) === null ? DIED : TOO_LARGE;
  return new DocumentUnreadable(why[0], why[1]);
}
