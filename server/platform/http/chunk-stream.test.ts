import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import compress from '@fastify/compress';
import Fastify, { type FastifyInstance } from 'fastify';
import { Refusal } from '../kernel/refusal.ts';
import { BrokenOff, createChunkStream, type Chunk } from './chunk-stream.ts';
import { toRefusal } from './problem-dialect.ts';

const MEGABYTE = 1024 * 1024;

describe('a response that is sent chunk by chunk', () => {
  let app: FastifyInstance;
  let chunks: () => AsyncIterable<Chunk>;
  let url: string;
  beforeEach(async () => {
    app = Fastify({ forceCloseConnections: true });
    app.get('/', (_request, reply) => reply.type('text/plain').send(createChunkStream(chunks())));
    await app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
  });
  afterEach(() => app.close());

  const get = async (): Promise<http.IncomingMessage> => {
    const [answer] = (await once(http.get(url, { agent: false }), 'response')) as [http.IncomingMessage];
    return answer;
  };

  it('has all parts in their order, whose memory may be overwritten when they were sent', async () => {
    const memory = Buffer.alloc(MEGABYTE);
    let isFree = true;
    chunks = async function* () {
      yield { parts: ['begin ', Buffer.from('here ')] };
      yield { parts: [] };
      for (const letter of 'abcdefgh') {
        assert.ok(isFree);
        isFree = false;
        memory.fill(letter);
        yield { parts: [memory.subarray(0, 10), memory.subarray(10)], onSent: () => (isFree = true) };
      }
    };
    const body = await (await fetch(url)).text();
    assert.equal(
      body,
      `begin here ${'abcdefgh'
        .split('')
        .map((letter) => letter.repeat(MEGABYTE))
        .join('')}`,
    );
  });

  it('says of no chunk that it was sent that a slow reader has not taken', async () => {
    let [made, sent] = [0, 0];
    chunks = async function* () {
      for (; made < 64; made++) yield { parts: [Buffer.alloc(MEGABYTE)], onSent: () => void sent++ };
    };
    const answer = await get();
    // What the connection holds by itself is less than all.
    for (let before = -1; before !== made; await new Promise((wake) => setTimeout(wake, 100))) before = made;
    assert.ok(made < 64 && sent === made, `${made} made, ${sent} sent`);
    let bytes = 0;
    for await (const part of answer) bytes += (part as Buffer).length;
    assert.deepEqual([bytes, made, sent], [64 * MEGABYTE, 64, 64]);
  });

  it('ends the generator when the reader disconnects, and does not say that the rest was sent', async () => {
    const ended = Promise.withResolvers<void>();
    const [made, sent] = [new Set<number>(), new Set<number>()];
    chunks = async function* () {
      try {
        for (let index = 0; ; index++) {
          made.add(index);
          yield { parts: [Buffer.alloc(MEGABYTE)], onSent: () => sent.add(index) };
        }
      } finally {
        ended.resolve();
      }
    };
    const answer = await get();
    await once(answer, 'readable');
    answer.destroy();
    await ended.promise;
    assert.equal(sent.size, made.size - 1);
  });

  it('answers with the error where nothing was sent yet, and breaks off later', async () => {
    const failure = Object.assign(new Error('no longer'), { statusCode: 403 });
    // oxlint-disable-next-line require-yield
    chunks = async function* () {
      throw failure;
    };
    assert.equal((await fetch(url)).status, 403);
    chunks = async function* () {
      yield { parts: ['something'] };
      throw failure;
    };
    const answer = await fetch(url);
    assert.equal(answer.status, 200);
    await assert.rejects(answer.text());
  });

  it('breaks off without a stack in the log, compressed or not: whoever makes the chunks reports why', async () => {
    const lines: string[] = [];
    const compressed = Fastify({ logger: { stream: { write: (line: string) => lines.push(line) } } });
    await compressed.register(compress);
    compressed.get('/', (_request, reply) => reply.type('text/plain').send(createChunkStream(chunks())));
    await compressed.listen({ host: '127.0.0.1', port: 0 });
    chunks = async function* () {
      yield { parts: [randomBytes(MEGABYTE)] };
      throw new Error('no longer');
    };
    const { port } = compressed.server.address() as AddressInfo;
    for (const encoding of ['identity', 'gzip'])
      await assert.rejects(
        fetch(`http://127.0.0.1:${port}/`, { headers: { 'accept-encoding': encoding } }).then((answer) =>
          answer.text(),
        ),
      );
    await compressed.close();
    const ends = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
    assert.equal(ends.filter(({ msg }) => msg === 'stream closed prematurely').length, 2);
    assert.ok(ends.every(({ level }) => level <= 30));
    assert.ok(!lines.some((line) => line.includes('no longer')));
  });

  it('answers with the refusal that broke it off where the compression has passed on nothing yet', () => {
    const refusal = new Refusal(403, 'no_consent', { detail: 'No longer.' });
    assert.equal(toRefusal(new BrokenOff(refusal)), refusal);
  });
});
