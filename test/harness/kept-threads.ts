import { EventEmitter, once } from 'node:events';
import { MessageChannel, Worker, type Transferable, type WorkerOptions } from 'node:worker_threads';
import type { StartThread } from '../../server/platform/jobs/job-threads.ts';
import type { ImportThreadData } from '../../server/clinical/ingest/batches/import-threads.ts';
import { onProcessEnd } from './process-end.ts';
import type { Life } from './kept-import-thread.ts';

/**
 * Threads that read uploads, for the services of this process one after another. One that is started anew loads the import and
 * reads the vocabulary, which costs 1.2 CPU-seconds, five times what it costs to read the upload of a test.
 */
interface Kept {
  worker: Worker;
  /** How it is limited. */
  key: string;
  /** The embedded stores that it has served: it has the names of its statements once in each, until they are free. */
  stores: WeakSet<SharedArrayBuffer>;
  /** The store that it served last, to which it may still be connected. */
  last: SharedArrayBuffer | null;
}

const idle: Kept[] = [];
let isFirst = true;

export const startKeptThread: StartThread = (options) => {
  const data = options.workerData as ImportThreadData;
  const { access } = data;
  const key = JSON.stringify(options.resourceLimits);
  const fits = (each: Kept): boolean =>
    each.key === key && !('line' in access && each.stores.has(access.capacity));
  const atConnected = idle.findLastIndex((each) => fits(each) && each.last === access.capacity);
  const at = atConnected === -1 ? idle.findLastIndex(fits) : atConnected;
  const kept = at === -1 ? startNew(options, key) : idle.splice(at, 1)[0];
  if (kept === undefined) throw new Error('no thread');
  if ('line' in access) kept.stores.add(access.capacity);
  kept.last = access.capacity;
  return beginLife(kept, data, options.transferList ?? []);
};

function startNew({ resourceLimits }: WorkerOptions, key: string): Kept {
  if (isFirst) onProcessEnd(endIdle);
  isFirst = false;
  const worker = new Worker(new URL('./kept-import-thread.ts', import.meta.url), {
    ...(resourceLimits !== undefined && { resourceLimits }),
  });
  worker.unref();
  const kept: Kept = { worker, key, stores: new WeakSet<SharedArrayBuffer>(), last: null };
  worker.once('exit', () => idle.includes(kept) && idle.splice(idle.indexOf(kept), 1));
  return kept;
}

/** Lets a thread serve an embedded store once more: the names of its statements are free there. */
export function forgetStore(store: SharedArrayBuffer): void {
  for (const { stores } of idle) stores.delete(store);
}

async function endIdle(): Promise<void> {
  isFirst = true;
  for (const { worker } of idle.splice(0)) {
    worker.ref();
    worker.postMessage('end');
    await once(worker, 'exit');
  }
}

/** What a service takes for a thread of its own: it is over when its port is closed, and the thread goes on to the next. */
function beginLife(kept: Kept, data: ImportThreadData, transferList: readonly Transferable[]): Worker {
  const { worker } = kept;
  const { port1, port2 } = new MessageChannel();
  const life = new EventEmitter();
  let isOver = false;
  let isClosing = false;
  const end = (code: number): void => {
    if (isOver) return;
    isOver = true;
    worker.off('error', fail).off('exit', end).unref();
    port1.close();
    life.emit('exit', code);
  };
  const fail = (error: Error): void => void life.emit('error', error);
  worker.on('error', fail).on('exit', end);
  port1.on('message', (message) => life.emit('message', message));
  port1.on('close', () => {
    // Else the thread itself has ended, and says why.
    if (isOver || !isClosing) return;
    idle.push(kept);
    end(0);
  });
  const begin: Life = { data, port: port2 };
  worker.postMessage(begin, [port2, ...transferList]);
  return Object.assign(life, {
    threadId: worker.threadId,
    postMessage(message: unknown) {
      isClosing ||= message === 'close';
      port1.postMessage(message);
    },
    ref: () => (port1.ref(), worker.ref()),
    unref: () => (port1.unref(), worker.unref()),
    terminate: () => worker.terminate(),
  }) as unknown as Worker;
}
