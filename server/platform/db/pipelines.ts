import type pg from 'pg';
import { destroyConnection } from './response-watch.ts';

/** Connections that take statements without waiting for the answers to earlier ones. */
export interface Pipelines {
  /** Returns that for the next statement; a promise of it while it is opened. */
  next(): pg.Client | Promise<pg.Client>;
  /** Takes the next statements to connections that are opened for them; those of now end after their last answer. */
  renew(): void;
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
    renew: () => pipelines.forEach((each) => each.renew()),
    end: () => Promise.all(pipelines.map((each) => each.end())),
  };
}

/** Creates a pipelined client that is opened at its first use and again after it was lost: a promise of it meanwhile. */
function createPipeline(createClient: () => pg.Client) {
  let current: pg.Client | Promise<pg.Client> | undefined;
  let opening: pg.Client | undefined;
  const open = async (reset: () => void): Promise<pg.Client> => {
    const client = createClient();
    opening = client;
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
    let own: pg.Client | undefined;
    // It may be lost twice, by an error and by its end, and another may be open by then.
    const reset = (): void => {
      if (current === started || (own !== undefined && current === own)) current = undefined;
    };
    const started = open(reset);
    const keep = (client: pg.Client): void => {
      own = client;
      if (current === started) current = client;
    };
    started.then(keep, () => {});
    return started;
  };
  return Object.assign(() => (current ??= start()), {
    renew() {
      if (current === undefined || current instanceof Promise) return;
      void current.end();
      current = undefined;
    },
    async end() {
      if (opening) destroyConnection(opening);
      const client = await Promise.resolve(current).catch(() => undefined);
      await client?.end();
    },
  });
}
