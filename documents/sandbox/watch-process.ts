import { workerData } from 'node:worker_threads';

/**
 * Ends its process over a document that takes too much, which the thread that reads it cannot do: it may never come
 * back. V8's own limit of memory leaves out buffers, and whoever waits for an answer may be gone.
 */
const { deadline, memory } = workerData as { deadline: Int32Array; memory: number };

const CHECK_INTERVAL_MS = 25;
/** Whoever asked ends the process at its time; this is for when they are gone. */
const GRACE_SECONDS = 3;

setInterval(() => {
  const end = Atomics.load(deadline, 0);
  const isLate = end !== 0 && Date.now() / 1000 > end + GRACE_SECONDS;
  if (isLate || process.memoryUsage.rss() > memory) process.kill(process.pid, 'SIGKILL');
}, CHECK_INTERVAL_MS);
