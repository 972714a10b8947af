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
  const stop = async (): Promise<void> => {
    const stopping = worker;
    worker = null;
    await stopping?.terminate();
  };
  return {
    async inspect(file, expected) {
      worker ??= createWorker(inspectMegabytes);
      const facts = await requestFacts(worker, { file, expected }, inspectMs);
      if (facts) return facts;
      await stop();
      throw new SourceFault('not_fhir');
    },
    [Symbol.asyncDispose]: stop,
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
