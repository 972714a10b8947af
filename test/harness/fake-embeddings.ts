import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An endpoint that makes vectors as models do, but of the letters of a text: texts with common parts are near. */
export interface FakeEmbeddings {
  url: string;
  /** Headers and body of every request. */
  requests: { headers: IncomingMessage['headers']; path: string; body: { model: string; input: string[] } }[];
  /** What it answers from now on instead: a status, or a body. */
  answerWith(answer: { status?: number; body?: string } | null): void;
  stop(): Promise<void>;
}

export async function startFakeEmbeddings(): Promise<FakeEmbeddings> {
  const requests: FakeEmbeddings['requests'] = [];
  let given: { status?: number; body?: string } | null = null;
  const server = http.createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    requests.push({ headers: request.headers, path: request.url ?? '', body });
    response.statusCode = given?.status ?? 200;
    response.setHeader('content-type', 'application/json');
    // The order of an answer is not that of the texts.
    const data = (body.input as string[])
      .map((text, index) => ({ index, embedding: embedText(text) }))
      .reverse();
    response.end(given?.body ?? JSON.stringify({ object: 'list', model: body.model, data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerWith: (answer) => void (given = answer),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const DIMENSIONS = 64;

/** Counts the runs of three letters of a text, each in one of 64 places. */
export function embedText(text: string): number[] {
  const values = Array.from({ length: DIMENSIONS }, (): number => 0);
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g))
    for (let at = 0; at < word.length - 2; at++) {
      const hash = Buffer.from(word.slice(at, at + 3)).reduce(
        (sum, letter) => (sum * 31 + letter) % 104_729,
        7,
      );
      values[hash % DIMENSIONS] = (values[hash % DIMENSIONS] ?? 0) + (hash % 2 === 0 ? 1 : -1);
    }
  return values.some((value) => value !== 0) ? values : values.map(() => 1);
}
