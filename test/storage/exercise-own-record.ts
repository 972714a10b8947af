import assert from 'node:assert/strict';
import { Counter, Registry } from 'prom-client';
import { PatientId } from '../../contract/brands.ts';
import { createEmbedAllJob, createEmbedJob } from '../../server/clinical/search/embeddings/embed-jobs.ts';
import { createEmbedder } from '../../server/clinical/search/embeddings/embedder.ts';
import { Reschedule } from '../../server/platform/jobs/job-kind.ts';
import type { Db } from '../../server/platform/db/db.ts';
import type { OutboundClient } from '../../server/platform/outbound/outbound-client.ts';
import { createSignedInBrowser } from '../harness/authorization.ts';
import type { FakeEmbeddings } from '../harness/fake-embeddings.ts';
import { callTool, type TestPatient, type TestService } from '../harness/service.ts';

/** Vectors are made of a record, and it is searched by them, and again without them; by an agent and by its person. */
export async function exerciseEmbeddings(
  service: TestService,
  {
    patient,
    db,
    fake,
    outbound,
  }: { patient: TestPatient; db: Db; fake: FakeEmbeddings; outbound: OutboundClient },
): Promise<void> {
  const { embeddings } = service.config;
  assert.ok(embeddings);
  const embedder = createEmbedder(outbound, embeddings);
  const { signal } = new AbortController();
  fake.answerWith(null);
  const enqueued: unknown[] = [];
  const jobs = { enqueue: async (_: unknown, job: unknown) => void enqueued.push(job), wake: () => {} };
  await assert.rejects(createEmbedAllJob({ db, jobs, embedder }).run({}, signal), Reschedule);
  assert.ok(enqueued.length > 0);
  const failures = new Counter({
    name: 'failures',
    help: 'x',
    labelNames: ['purpose'],
    registers: [new Registry()],
  });
  const patientId = PatientId.parse(patient.id);
  await createEmbedJob({ db, embedder, failures }).run({ patientId }, signal);
  const browser = await createSignedInBrowser(service, patient);
  for (const answer of [null, { status: 500 }]) {
    fake.answerWith(answer);
    const { body } = await callTool(service, patient, 'search', { query: 'blood pressure' });
    assert.ok(body.result !== undefined && body.result.isError !== true);
    const found = await browser.post('/account/record/search', { query: 'blood pressure' });
    assert.ok(found.body.results.length > 0, JSON.stringify(found.body));
  }
}

/** A person reads their own record: how much there is, a page of each category, and one fact of it. */
export async function exerciseOwnRecord(service: TestService, patient: TestPatient): Promise<void> {
  const browser = await createSignedInBrowser(service, patient);
  const { categories } = (await browser.get('/account/record')).body as {
    categories: { category: string; facts: number }[];
  };
  assert.equal((await browser.post('/account/language', { language: 'es' })).status, 204);
  const filled = categories.filter(({ facts }) => facts > 0);
  assert.ok(filled.length > 3, JSON.stringify(categories));
  for (const { category } of filled) {
    const { status, body } = await browser.get(`/account/record/facts?category=${category}`);
    assert.equal(status, 200);
    for (const { id } of body.results.slice(0, 1))
      assert.equal((await browser.get(`/account/record/fact?id=${id}`)).status, 200);
  }
}
