import { Worker } from 'node:worker_threads';
import type { SourceLimits } from './limits.ts';
import type { Expected, PageFacts } from './page-facts.ts';
import { SourceFault } from './source-fault.ts';

export interface PageInspector extends AsyncDisposable {
  /** Throws `not_fhir` for a page that takes too long or too much memory to look at. */
  inspect(file: string, expected: Expected): Promise<PageFacts>;
}

/** Looks at pages off the event loop; to be disposed of with the sync it serves. */
export function pageInspector({ inspectMs, inspectMegabytes }: SourceLimits): PageInspector {
  let worker: Worker | null = null;
  const end = async (): Promise<void> => {
    const ending = worker;
    worker = null;
    await ending?.terminate();
  };
  return {
    async inspect(file, expected) {
      worker ??= newWorker(inspectMegabytes);
      const facts = await answerOf(worker, { file, expected }, inspectMs);
      if (facts) return facts;
      await end();
      throw new SourceFault('not_fhir');
    },
    [Symbol.asyncDispose]: end,
  };
}

function newWorker(maxOldGenerationSizeMb: number): Worker {
  const worker = new Worker(new URL('./page-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb },
  });
  // A thread that dies while nobody asks it must not end the process.
  worker.on('error', () => undefined);
  worker.unref();
  return worker;
}

/** null: the thread died, failed, or has not answered in time. */
function answerOf(worker: Worker, question: object, ms: number): Promise<PageFacts | null> {
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
    worker.postMessage(question);
  });
}
