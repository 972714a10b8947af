import { Worker } from 'node:worker_threads';
import type { SourceLimits } from './limits.ts';
import type { ExpectedPatient, PageFacts } from './page-facts.ts';
import { SourceFault } from './source-fault.ts';

export interface PageInspector extends AsyncDisposable {
  /** Throws `not_fhir` for a page that takes too long or too much memory. */
  inspect(file: string, expected: ExpectedPatient): Promise<PageFacts>;
}

/** Creates an inspector that reads pages off the event loop; to be disposed of with its sync. */
export function createPageInspector({ inspectMs, inspectMegabytes }: SourceLimits): PageInspector {
  let worker: Worker | null = null;
  let isReading = false;
  const stop = async (): Promise<void> => {
    const stopping = worker;
    worker = null;
    await stopping?.terminate();
  };
  return {
    async inspect(file, expected) {
      worker ??= takeIdle(inspectMegabytes) ?? createWorker(inspectMegabytes);
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
      const idle = worker;
      worker = null;
      await keepIdle(idle, inspectMegabytes);
    },
  };
}

/** The thread of the sync before, for the next: to start one costs 0.2 seconds of a core, and pages come many a sync. */
let kept: { worker: Worker; megabytes: number; timer: NodeJS.Timeout } | null = null;

const IDLE_MS = 30_000;

function takeIdle(megabytes: number): Worker | null {
  if (kept?.megabytes !== megabytes) return null;
  const { worker, timer } = kept;
  clearTimeout(timer);
  kept = null;
  // It may have died meanwhile.
  return worker.threadId === -1 ? null : worker;
}

async function keepIdle(worker: Worker, megabytes: number): Promise<void> {
  const before = kept;
  const timer = setTimeout(() => {
    if (kept?.worker === worker) kept = null;
    void worker.terminate();
  }, IDLE_MS);
  kept = { worker, megabytes, timer: timer.unref() };
  clearTimeout(before?.timer);
  await before?.worker.terminate();
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
