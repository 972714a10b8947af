import { DocumentUnreadable, type Conversion, type DocumentToConvert } from './converter.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { typeByMagic } from './magic-bytes.ts';
import { startProcess, type OneProcess, type ProcessLimits } from './one-process.ts';
import type { Reply, Request } from './process-messages.ts';

/** Where documents are read: apart from everything else, so that no document can hurt more than itself. */
export interface DocumentProcesses {
  /** Throws DocumentUnreadable. */
  convert(document: DocumentToConvert): Promise<Conversion>;
  /** The words of a document; null where it has none or cannot be read. */
  textOf(bytes: Buffer): Promise<string | null>;
  /** Ends the processes that wait; those at work end with their document. */
  close(): Promise<void>;
}

type Limits = ProcessLimits & Record<'convertMs' | 'convertPdfMs' | 'idleMs' | 'processes', number>;

interface Options {
  /** A module that exports `converters`. */
  modules?: URL;
  limits?: Partial<Limits>;
}

/**
 * Starts processes as they are needed, and ends them when nothing came for a while. Neither a process that waits nor
 * its timer keeps ours alive.
 */
export function documentProcesses({ modules, limits }: Options = {}): DocumentProcesses {
  const allowed: Limits = { ...DOCUMENT_LIMITS, ...limits };
  const url = modules ?? new URL('./converters.ts', import.meta.url);
  const processes = pool(() => startProcess(url, allowed), allowed);
  const asked = async (request: Request, bytes: Buffer): Promise<Reply> => {
    const process = await processes.take();
    try {
      return await process.ask(request, bytes);
    } finally {
      processes.give(process);
    }
  };
  return {
    async convert({ bytes, ...document }) {
      const reply = await asked({ task: 'convert', ...document, ms: msFor(bytes, allowed) }, bytes);
      if ('conversion' in reply) return reply.conversion;
      throw new DocumentUnreadable(...refusalIn(reply));
    },
    async textOf(bytes) {
      try {
        const reply = await asked({ task: 'text', ms: msFor(bytes, allowed) }, bytes);
        return 'text' in reply ? reply.text : null;
      } catch (error) {
        if (error instanceof DocumentUnreadable) return null;
        throw error;
      }
    },
    close: () => processes.close(),
  };
}

function refusalIn(reply: Reply): [code: string, message: string] {
  if (!('unreadable' in reply)) throw new Error('an answer to another question');
  return [reply.unreadable.code, reply.unreadable.message];
}

const msFor = (bytes: Buffer, limits: Limits): number =>
  typeByMagic(bytes) === 'application/pdf' ? limits.convertPdfMs : limits.convertMs;

interface Pool {
  take(): Promise<OneProcess>;
  give(process: OneProcess): void;
  close(): Promise<void>;
}

function pool(start: () => Promise<OneProcess>, { processes, idleMs }: Limits): Pool {
  /** The one that was used last is used first, so that the others grow old and end. */
  const idle: { process: OneProcess; timer: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async take() {
      if (taken >= processes) await new Promise<void>((turn) => waiting.push(turn));
      else taken++;
      for (let last = idle.pop(); last; last = idle.pop()) {
        clearTimeout(last.timer);
        if (last.process.isAlive()) return last.process;
      }
      try {
        return await start();
      } catch (error) {
        leave();
        throw error;
      }
    },
    give(process) {
      if (process.isAlive()) idle.push({ process, timer: setTimeout(() => retire(process), idleMs).unref() });
      leave();
    },
    async close() {
      const ended = idle.splice(0);
      for (const { timer } of ended) clearTimeout(timer);
      await Promise.all(ended.map(({ process }) => process.end()));
    },
  };

  /** The turn goes to whoever waits longest. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  }

  function retire(process: OneProcess): void {
    const at = idle.findIndex((other) => other.process === process);
    if (at >= 0) idle.splice(at, 1);
    void process.end();
  }
}
