import type pg from 'pg';
import { destroyConnection } from './response-watch.ts';

/** Connections that take statements without waiting for the answers to earlier ones. */
interface Pipelines {
  /** Returns that for the next statement; a promise of it while it is opened. */
  next(): pg.Client | Promise<pg.Client>;
  end(): Promise<unknown>;
}

/** Creates pipelined clients that take turns. */
export function createPipelines(count: number, createClient: () => pg.Client): Pipelines {
  const pipelines = Array.from({ length: count }, () => createPipeline(createClient));
  let index = 0;
  return {
    next() {
      index = (index + 1) % pipelines.length;
      return (pipelines[index] ?? createPipeline(createClient))();
    },
    end: () => Promise.all(pipelines.map((each) => each.end())),
  };
}

/** Creates a pipelined client that is opened at its first use and again after it was lost: a promise of it meanwhile. */
function createPipeline(createClient: () => pg.Client) {
  let current: pg.Client | Promise<pg.Client> | undefined;
  let opening: pg.Client | undefined;
  const open = async (): Promise<pg.Client> => {
    const client = createClient();
    opening = client;
    const reset = (): void => void (current = undefined);
    client.on('error', reset);
    client.on('end', reset);
    try {
      await client.connect();
    } catch (error) {
      reset();
      throw error;
    } finally {
      opening = undefined;
    }
    return client;
  };
  const start = (): Promise<pg.Client> => {
    const started = open();
    const keep = (client: pg.Client): void => void (current = current === started ? client : current);
    started.then(keep, () => {});
    return started;
  };
  return Object.assign(() => (current ??= start()), {
    async end() {
      if (opening) destroyConnection(opening);
      const client = await Promise.resolve(current).catch(() => undefined);
      await client?.end();
    },
  });
}
