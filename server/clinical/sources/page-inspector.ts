import { Worker } from 'node:worker_threads';
import type { SourceLimits } from './limits.ts';
import type { ExpectedPatient, PageFacts } from './page-facts.ts';
import { SourceFault } from './source-fault.ts';

export interface PageInspector extends AsyncDisposable {
  /** Throws `not_fhir` for a page that takes too long or too much memory. */
  inspect(file: string, expected: ExpectedPatient): Promise<PageFacts>;
}

/** The threads that pages are read in: one is kept for the next sync. */
export interface PageInspectors {
  /** Creates an inspector that reads pages off the event loop; to be disposed of with its sync. */
  create(): PageInspector;
  stop(): Promise<void>;
}

export function createPageInspectors({ inspectMs, inspectMegabytes }: SourceLimits): PageInspectors {
  const idle = createIdleThread();
  return {
    create: () =>
      createPageInspector({
        take: () => idle.take() ?? createWorker(inspectMegabytes),
        giveBack: idle.keep,
        inspectMs,
      }),
    stop: idle.stop,
  };
}

interface InspectorDeps {
  take(): Worker;
  giveBack(worker: Worker): Promise<void>;
  inspectMs: number;
}

function createPageInspector({ take, giveBack, inspectMs }: InspectorDeps): PageInspector {
  let worker: Worker | null = null;
  let isReading = false;
  const stop = async (): Promise<void> => {
    const stopping = worker;
    worker = null;
    await stopping?.terminate();
  };
  return {
    async inspect(file, expected) {
      worker ??= take();
      isReading = true;
      const facts = await requestFacts(worker, { file, expected }, inspectMs);
      isReading = false;
      if (facts) return facts;
      await stop();
      throw new SourceFault('not_fhir');
    },
    async [Symbol.asyncDispose]() {
      // What a thread still says of one patient's page must not reach the sync of another.
      if (worker === null || isReading) return stop();
      const unused = worker;
      worker = null;
      await giveBack(unused);
    },
  };
}

const IDLE_MS = 30_000;

/** Holds the thread of the sync before, for the next: to start one costs 0.2 seconds of a core, and pages come many a sync. */
function createIdleThread() {
  let kept: { worker: Worker; timer: NodeJS.Timeout } | null = null;
  let isStopped = false;
  const take = (): Worker | null => {
    const worker = kept?.worker ?? null;
    clearTimeout(kept?.timer);
    kept = null;
    // It may have died meanwhile.
    return worker?.threadId === -1 ? null : worker;
  };
  return {
    take,
    async keep(worker: Worker): Promise<void> {
      const before = take();
      if (isStopped) await worker.terminate();
      else kept = { worker, timer: setTimeout(() => void take()?.terminate(), IDLE_MS).unref() };
      await before?.terminate();
    },
    async stop(): Promise<void> {
      isStopped = true;
      await take()?.terminate();
    },
  };
}

function createWorker(maxOldGenerationSizeMb: number): Worker {
  const worker = new Worker(new URL('./page-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb },
  });
  // A thread that dies while idle must not end the process.
  worker.on('error', () => undefined);
  worker.unref();
  return worker;
}

/** Returns null when the thread died, failed, or did not reply in time. */
function requestFacts(worker: Worker, message: object, ms: number): Promise<PageFacts | null> {
  return new Promise((resolve) => {
    const settle = (facts: PageFacts | null): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
      resolve(facts);
    };
    const onMessage = ({ facts }: { facts: PageFacts | null }): void => settle(facts);
    const onEnd = (): void => settle(null);
    const timer = setTimeout(onEnd, ms);
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    worker.postMessage(message);
  });
}
