import http from 'node:http';
import type { Db } from '../../server/platform/db/db.ts';

export interface SlowReader {
  status: number | undefined;
  /** What is left of the answer; whether it came to its proper end. */
  readRest(): Promise<{ bytes: Buffer; complete: boolean }>;
  abort(): void;
}

/** Reads the head of an answer and then nothing until `read` is called. */
export const openSlowReader = (url: string, headers: Record<string, string>): Promise<SlowReader> =>
  new Promise((done, fail) => {
    const request = http.get(url, { headers, agent: false }, (response) => {
      done({
        status: response.statusCode,
        async readRest() {
          const chunks: Buffer[] = [];
          try {
            for await (const chunk of response) chunks.push(chunk as Buffer);
          } catch {
            // Broken off: `complete` says so.
          }
          return { bytes: Buffer.concat(chunks), complete: response.complete };
        },
        abort: () => void request.destroy(),
      });
    });
    request.on('error', fail);
  });

export interface ChunkCounter {
  getCount(): number;
  /** How many were made when no more come. */
  waitUntilSettled(): Promise<number>;
}

/** Counts the chunks that are read of records from now on. */
export function countChunks(db: Db): ChunkCounter {
  let [count, underWay] = [0, 0];
  const { queryRowBytes } = db;
  db.queryRowBytes = (statement) => {
    count++;
    underWay++;
    return queryRowBytes(statement).finally(() => underWay--);
  };
  return {
    getCount: () => count,
    async waitUntilSettled() {
      for (let before = -1, unchanged = 0; unchanged < 5;) {
        unchanged = count === before && underWay === 0 ? unchanged + 1 : 0;
        before = count;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return count;
    },
  };
}
