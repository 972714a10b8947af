import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import type { Caller } from '../../../contract/audience.ts';
import { getPersonEverything } from '../../../contract/fhir/fhir.ts';
import type { Use } from '../usage/usage.ts';
import { afterAnswer } from './after-answer.ts';
import type { App } from './app.ts';
import { createChunkStream } from './chunk-stream.ts';
import { countCall } from './count-call.ts';
import { measureRequests } from './metrics.ts';

const CALLER = { kind: 'organization', organizationId: 'o' } as unknown as Caller;

describe('an answer', () => {
  let app: App;
  let uses: Use[] = [];
  let listMetrics: () => Promise<string[]>;
  let base: string;
  const ended = new EventTarget();
  before(async () => {
    app = Fastify();
    app.addHook('onRequest', async (request) => {
      if (request.url === '/refused') throw Object.assign(new Error('refused'), { statusCode: 403 });
    });
    const registry = measureRequests(app);
    listMetrics = async () =>
      [
        ...(await registry.metrics()).matchAll(
          /^chartgate_http_request_duration_seconds_count\{method="GET",route="(.*)",status="(\d+)"\} (\d+)$/gm,
        ),
      ].map((match) => match.slice(1).join(' '));
    app.addHook('onRequest', async (_request, reply) =>
      afterAnswer(reply, () => {
        countCall({ count: (use) => void uses.push(use) }, getPersonEverything, { caller: CALLER, reply });
        ended.dispatchEvent(new Event('end'));
      }),
    );
    app.get('/whole', async () => ({}));
    app.get('/not-there', async (_request, reply) => reply.code(404).send({}));
    app.get('/refused', async () => ({}));
    app.get('/slow', async () => sleep(200, {}));
    app.get('/left', async (_request, reply) => reply.send(createChunkStream(stream(null))));
    app.get('/broken-off', async (_request, reply) =>
      reply.send(createChunkStream(stream(new Error('the consent has ended')))),
    );
    base = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => app.close());

  async function* stream(end: Error | null) {
    yield { parts: [Buffer.alloc(100)] };
    if (end) throw end;
    for (;;) {
      await sleep(10);
      yield { parts: [Buffer.alloc(100)] };
    }
  }

  /** Asks, and leaves when the answer has begun, or before. */
  async function ask(path: string, leave: 'when it is whole' | 'when it begins' | 'before'): Promise<void> {
    const end = once(ended, 'end');
    const request = http.get(base + path, { agent: false });
    request.on('error', () => {});
    if (leave === 'before') {
      await sleep(50);
      request.destroy();
    } else {
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      if (leave === 'when it begins') request.destroy();
      response.on('error', () => {}).resume();
    }
    if (path !== '/refused') await end;
    // What counts twice has counted by then.
    await sleep(300);
  }

  for (const [path, leave, { status, outcome }] of [
    ['/whole', 'when it is whole', { status: 200, outcome: 'success' }],
    ['/not-there', 'when it is whole', { status: 404, outcome: 'refused' }],
    ['/refused', 'when it is whole', { status: 403, outcome: null }],
    ['/left', 'when it begins', { status: 200, outcome: 'failed' }],
    ['/broken-off', 'when it is whole', { status: 200, outcome: 'failed' }],
    ['/slow', 'before', { status: 499, outcome: 'failed' }],
  ] as const)
    it(`is counted once, with the status that was sent: ${path}, left ${leave}`, async () => {
      uses = [];
      await ask(path, leave);
      assert.deepEqual(
        (await listMetrics()).filter((line) => line.startsWith(path)),
        [`${path} ${status} 1`],
      );
      assert.deepEqual(
        uses.map((use) => use.outcome),
        outcome === null ? [] : [outcome],
      );
    });
});

it('what patients read of their own record is no use of an organization', () => {
  const uses: Use[] = [];
  for (const isTestPatient of [true, false])
    countCall({ count: (use) => void uses.push(use) }, getPersonEverything, {
      caller: {
        kind: 'patient',
        organizationId: 'o',
        projectId: 'p',
        client: 'direct',
        isTestPatient,
      } as Caller,
      reply: { statusCode: 200, elapsedTime: 1, raw: { writableFinished: true } } as never,
    });
  assert.equal(uses.length, 1, 'only a test patient reads for the organization');
});
