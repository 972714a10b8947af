import { parentPort } from 'node:worker_threads';
import { readPageFacts, type ExpectedPatient } from './page-facts.ts';

/** A thread of its own: a page is untrusted JSON, and may be made to take long to parse. */
parentPort?.on('message', ({ file, expected }: { file: string; expected: ExpectedPatient }) => {
  readPageFacts(file, expected).then(
    (facts) => parentPort?.postMessage({ facts }),
    () => parentPort?.postMessage({ facts: null }),
  );
});
