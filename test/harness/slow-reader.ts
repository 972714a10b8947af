import http from 'node:http';
import type { Db } from '../../server/storage/db.ts';

export interface SlowReader {
  status: number | undefined;
  /** What is left of the answer; whether it came to its proper end. */
  rest(): Promise<{ bytes: Buffer; complete: boolean }>;
  leave(): void;
}

/** Reads the head of an answer and then nothing until it is told to. */
export const slowReader = (url: string, headers: Record<string, string>): Promise<SlowReader> =>
  new Promise((done, fail) => {
    const request = http.get(url, { headers, agent: false }, (response) => {
      done({
        status: response.statusCode,
        async rest() {
          const chunks: Buffer[] = [];
          try {
            for await (const chunk of response) chunks.push(chunk as Buffer);
          } catch {
            // Broken off: `complete` says so.
          }
          return { bytes: Buffer.concat(chunks), complete: response.complete };
        },
        leave: () => void request.destroy(),
      });
    });
    request.on('error', fail);
  });

export interface CountedCopies {
  made(): number;
  /** How many were made when no more come. */
  settled(): Promise<number>;
}

/** Counts the stretches that are read of records from now on. */
export function countCopies(db: Db): CountedCopies {
  let made = 0;
  const { copyRow } = db;
  db.copyRow = (statement) => {
    made++;
    return copyRow(statement);
  };
  return {
    made: () => made,
    async settled() {
      for (let before = -1, same = 0; same < 5;) {
        same = made === before ? same + 1 : 0;
        before = made;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return made;
    },
  };
}
