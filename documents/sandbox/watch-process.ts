import { workerData } from 'node:worker_threads';

/**
 * Ends its process over a document that takes too much, which the thread that reads the document cannot do: it may never
 * return; and when the service is gone. V8's own memory limit leaves out buffers, and the process that waits for the reply may be gone.
 */
const { deadline, memory, service } = workerData as {
  deadline: Int32Array;
  memory: number;
  service: number;
};

const CHECK_INTERVAL_MS = 25;
/** The pool ends the process at its deadline; this is for the case that the pool's thread is gone. */
const GRACE_SECONDS = 3;

setInterval(() => {
  const end = Atomics.load(deadline, 0);
  const isLate = end !== 0 && Date.now() / 1000 > end + GRACE_SECONDS;
  if (isLate || process.ppid !== service || process.memoryUsage.rss() > memory)
    process.kill(process.pid, 'SIGKILL');
}, CHECK_INTERVAL_MS);
