import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Counter, Registry } from 'prom-client';
import {
  embedText,
  startFakeEmbeddings,
  type FakeEmbeddings,
} from '../../../../test/harness/fake-embeddings.ts';
import { createOutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { createQuestionEmbedder } from './embed-question.ts';
import { createEmbedder, EmbeddingsFault, toSigns } from './embedder.ts';

const outbound = createOutboundClient();
const OPTIONS = { timeoutMs: 60_000 };

describe('the client of an embeddings endpoint', () => {
  let fake: FakeEmbeddings;
  before(async () => void (fake = await startFakeEmbeddings()));
  after(() => fake.stop());
  const create = (url: string, key: string | null = null) =>
    createEmbedder(outbound, { url, model: 'letters', key });

  it('asks as OpenAI defines it, and returns a vector of length 1 for each text in their order', async () => {
    const vectors = await create(fake.url, 'secret').embed(['gout', 'asthma'], OPTIONS);
    const { headers, path, body } = fake.requests.at(-1) ?? assert.fail();
    assert.deepEqual(
      [path, headers.authorization, body],
      [
        '/v1/embeddings',
        'Bearer secret',
        { model: 'letters', input: ['gout', 'asthma'], encoding_format: 'float' },
      ],
    );
    assert.deepEqual(
      vectors.map(({ model, values }) => [model, toSigns(values)]),
      ['gout', 'asthma'].map((text) => ['letters', toSigns(embedText(text))]),
    );
    for (const { values } of vectors) assert.ok(Math.abs(Math.hypot(...values) - 1) < 1e-9);
  });

  it('takes an address with or without the path', async () => {
    for (const path of ['', '/v1', '/v1/embeddings']) {
      await create(`${fake.url}${path}`).embed(['gout'], OPTIONS);
      assert.equal(fake.requests.at(-1)?.path, '/v1/embeddings', path);
    }
    assert.equal(fake.requests.at(-1)?.headers.authorization, undefined);
  });

  it('throws a fault that names neither texts nor address when the answer is none', async () => {
    const one = { index: 0, embedding: [1, 2] };
    for (const [answer, reason] of [
      [{ status: 500 }, 'status 500'],
      [{ body: 'no json' }, 'malformed answer'],
      [{ body: '{"data":[{"index":0,"embedding":["x"]}]}' }, 'malformed answer'],
      [{ body: JSON.stringify({ data: [one] }) }, 'not a vector for each text'],
      [
        { body: JSON.stringify({ data: [one, { index: 1, embedding: [1, 2, 3] }] }) },
        'not a vector for each text',
      ],
      [
        { body: JSON.stringify({ data: [one, { index: 2, embedding: [1, 2] }] }) },
        'not a vector for each text',
      ],
      [
        { body: JSON.stringify({ data: [one, { index: 1, embedding: [0, 0] }] }) },
        'a vector without direction',
      ],
    ] as const) {
      fake.answerWith(answer);
      await assert.rejects(create(fake.url).embed(['gout', 'asthma'], OPTIONS), (error) => {
        assert.ok(error instanceof EmbeddingsFault);
        assert.equal(error.message, `embeddings failed: ${reason}`);
        return true;
      });
    }
    fake.answerWith(null);
    await assert.rejects(create('http://127.0.0.1:1').embed(['gout'], OPTIONS), EmbeddingsFault);
    await assert.rejects(create('http://203.0.113.9').embed(['gout'], OPTIONS), EmbeddingsFault);
  });

  it('leaves an endpoint that failed alone for a while, and counts the failure', async () => {
    const failures = new Counter({
      name: 'failures',
      help: 'x',
      labelNames: ['purpose'],
      registers: [new Registry()],
    });
    let now = 0;
    const embed = createQuestionEmbedder({ embedder: create(fake.url), failures, readMs: () => now });
    fake.answerWith({ status: 503 });
    assert.equal(await embed('gout'), null);
    fake.answerWith(null);
    const before = fake.requests.length;
    assert.equal(await embed('gout'), null);
    assert.equal(fake.requests.length, before);
    now = 30_001;
    assert.equal((await embed('gout'))?.values.length, 64);
    assert.deepEqual((await failures.get()).values, [{ labels: { purpose: 'question' }, value: 1 }]);
    assert.equal(await createQuestionEmbedder({ embedder: null, failures })('gout'), null);
  });
});
