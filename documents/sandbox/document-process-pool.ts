import { DocumentError, ProcessDiedError, type Conversion, type DocumentToConvert } from '../converter.ts';
import { DOCUMENT_LIMITS } from '../document-limits.ts';
import type { ExtractedText } from '../document-text.ts';
import { detectMediaType } from '../magic-bytes.ts';
import { startProcess, type ConverterProcess, type ProcessLimits } from './converter-process.ts';
import type { Reply, Request } from './messages.ts';

/** Reads documents apart from everything else, so that a hostile document harms no other. */
export interface DocumentProcessPool {
  /** Throws DocumentError. */
  convert(document: DocumentToConvert, options?: ConversionOptions): Promise<Conversion>;
  /** Returns the text of a document, and whether all of it was read; null where it cannot be read. */
  extractText(bytes: Buffer, options?: ConversionOptions): Promise<ExtractedText | null>;
  /** Ends the idle processes; busy ones end with their document. */
  close(): Promise<void>;
}

export interface ConversionOptions {
  /** Milliseconds, where that is less than a document of its kind may take. */
  maxMs?: number;
  /** Ends the process over the document, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called where the process died over the document, or was ended for its time or memory. */
  onDeath?(): void;
}

type Limits = ProcessLimits & Record<'convertMs' | 'convertPdfMs' | 'idleMs' | 'processes', number>;

interface Options {
  /** A module that exports `converters`. */
  modules?: URL;
  limits?: Partial<Limits>;
}

/**
 * Creates a pool that starts processes as they are needed, and ends them after they were idle for a while. Neither an
 * idle process nor its timer keeps the service alive.
 */
export function createDocumentProcessPool({ modules, limits }: Options = {}): DocumentProcessPool {
  const effectiveLimits: Limits = { ...DOCUMENT_LIMITS, ...limits };
  const url = modules ?? new URL('../converters.ts', import.meta.url);
  const processes = createPool(() => startProcess(url, effectiveLimits), effectiveLimits);
  const sendRequest = async (
    task: DistributiveOmit<Request, 'ms'>,
    bytes: Buffer,
    { maxMs = Number.POSITIVE_INFINITY, signal, onDeath }: ConversionOptions = {},
  ): Promise<Reply> => {
    const process = await processes.acquire();
    const request: Request = { ...task, ms: Math.min(getTimeoutMs(bytes, effectiveLimits), maxMs) };
    try {
      signal?.throwIfAborted();
      return await process.send(request, bytes, signal);
    } catch (error) {
      if (error instanceof ProcessDiedError) onDeath?.();
      throw error;
    } finally {
      processes.release(process);
    }
  };
  return {
    async convert({ bytes, ...document }, options) {
      const reply = await sendRequest({ task: 'convert', ...document }, bytes, options);
      if ('conversion' in reply) return reply.conversion;
      throw new DocumentError(...readRefusal(reply));
    },
    async extractText(bytes, options) {
      try {
        const reply = await sendRequest({ task: 'text' }, bytes, options);
        return 'text' in reply ? reply : null;
      } catch (error) {
        if (error instanceof DocumentError) return null;
        throw error;
      }
    },
    close: () => processes.close(),
  };
}

type DistributiveOmit<T, Key extends keyof T> = T extends unknown ? Omit<T, Key> : never;

function readRefusal(reply: Reply): [code: string, message: string] {
  if (!('unreadable' in reply)) throw new Error('the reply is of another task');
  return [reply.unreadable.code, reply.unreadable.message];
}

const getTimeoutMs = (bytes: Buffer, limits: Limits): number =>
  detectMediaType(bytes) === 'application/pdf' ? limits.convertPdfMs : limits.convertMs;

interface Pool {
  acquire(): Promise<ConverterProcess>;
  release(process: ConverterProcess): void;
  close(): Promise<void>;
}

function createPool(start: () => Promise<ConverterProcess>, { processes, idleMs }: Limits): Pool {
  /** The process that was used last is used first, so that the others time out. */
  const idle: { process: ConverterProcess; timer: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  let acquired = 0;
  return {
    async acquire() {
      if (acquired >= processes) await new Promise<void>((resolve) => waiting.push(resolve));
      else acquired++;
      for (let last = idle.pop(); last; last = idle.pop()) {
        clearTimeout(last.timer);
        if (last.process.isAlive()) return last.process;
      }
      try {
        return await start();
      } catch (error) {
        releaseSlot();
        throw error;
      }
    },
    release(process) {
      if (process.isAlive()) idle.push({ process, timer: setTimeout(() => retire(process), idleMs).unref() });
      releaseSlot();
    },
    async close() {
      const stopped = idle.splice(0);
      for (const { timer } of stopped) clearTimeout(timer);
      await Promise.all(stopped.map(({ process }) => process.kill()));
    },
  };

  /** Passes the slot to the caller that waits longest. */
  function releaseSlot(): void {
    const next = waiting.shift();
    if (next) next();
    else acquired--;
  }

  function retire(process: ConverterProcess): void {
    const at = idle.findIndex((other) => other.process === process);
    if (at >= 0) idle.splice(at, 1);
    void process.kill();
  }
}
