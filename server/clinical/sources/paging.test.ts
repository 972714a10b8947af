import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fetchRecord } from './fetch-record.ts';
import { parseJsonBody } from './fhir-client.ts';
import { SOURCE_LIMITS } from './limits.ts';
import { describePatient } from './own-patient.ts';
import { readPageFacts, type ExpectedPatient } from './page-facts.ts';
import { createFetchedPages, fetchPages, type Completeness } from './paging.ts';
import { SourceFault } from './source-fault.ts';

let folder: string;
before(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'chartgate-paging-'));
});
after(() => fs.rm(folder, { recursive: true, force: true }));

const BASE = 'https://ehr.example/fhir';
const PATIENT = { resourceType: 'Patient', id: 'own' };
const EXPECTED: ExpectedPatient = {
  type: 'Patient',
  own: describePatient(BASE, { id: 'own', aliases: [], resource: PATIENT }),
  collect: false,
};
const finding = (id: string): object => ({
  resourceType: 'Condition',
  id,
  subject: { reference: 'Patient/own' },
});

/** A page as a server sends it, or how it refuses it. */
type Answer = object | string | SourceFault;

/** Answers requests one after another, whatever they ask for, and notes what they ask for. */
function createServer(answers: readonly Answer[]) {
  const left = [...answers];
  const asked: string[] = [];
  const get = async (url: string) => {
    asked.push(url.replace(BASE, ''));
    const answer = left.shift() ?? new SourceFault('gone');
    if (answer instanceof SourceFault) throw answer;
    const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
    return { status: 200, headers: {}, body };
  };
  return { asked, client: { base: BASE, get, post: get } };
}

const createDeps = (client: ReturnType<typeof createServer>['client']) => ({
  client,
  inspector: { inspect: readPageFacts, [Symbol.asyncDispose]: async () => {} },
  limits: SOURCE_LIMITS,
  folder,
  clock: { now: () => new Date() },
  signal: new AbortController().signal,
  expected: EXPECTED,
});

const fetchAll = (...answers: Answer[]): Promise<Completeness> =>
  fetchPages(createDeps(createServer(answers).client), '/first', createFetchedPages());

const page = (next: string | null, resources: readonly object[], more: object = {}): object => ({
  resourceType: 'Bundle',
  type: 'searchset',
  link: next === null ? [] : [{ relation: 'next', url: `${BASE}/${next}` }],
  entry: resources.map((resource) => ({ resource })),
  ...more,
});

describe('pages of a source', () => {
  it('count what comes twice once, so that it does not stand for what never came', async () => {
    const first = page('2', [PATIENT, finding('c1')], { total: 3 });
    const drifted = await fetchAll(first, page(null, [finding('c1')], { total: 3 }));
    assert.deepEqual([drifted.total, drifted.resources, drifted.matches], [3, 2, 2]);
    const whole = await fetchAll(first, page(null, [finding('c2')], { total: 3 }));
    assert.deepEqual([whole.total, whole.resources, whole.matches], [3, 3, 3]);
  });

  it('are waited for where the server asks for that in the middle, and go on from there', async () => {
    const slowDown = new SourceFault('too_many_requests', { retryAfterMs: 0 });
    const server = createServer([
      page('2', [PATIENT]),
      slowDown,
      slowDown,
      page('3', [finding('c1')]),
      new SourceFault('unavailable', { retryAfterMs: 0 }),
      page(null, [finding('c2')]),
    ]);
    const { resources } = await fetchPages(createDeps(server.client), '/first', createFetchedPages());
    assert.equal(resources, 3);
    assert.deepEqual(server.asked, ['/first', '/2', '/2', '/2', '/3', '/3']);
  });

  it('are not waited for at the beginning, longer than a few minutes, for ever, or without being asked to', async () => {
    const slowDown = (retryAfterMs: number | null): SourceFault =>
      new SourceFault('too_many_requests', { retryAfterMs });
    await assert.rejects(fetchAll(slowDown(0), page(null, [PATIENT])), { code: 'too_many_requests' });
    await assert.rejects(fetchAll(page('2', [PATIENT]), slowDown(3_600_000)), { code: 'too_many_requests' });
    const unavailable = new SourceFault('unavailable');
    await assert.rejects(fetchAll(page('2', [PATIENT]), unavailable), { code: 'unavailable' });
    const refusals = Array.from({ length: SOURCE_LIMITS.retries + 1 }, () => slowDown(0));
    await assert.rejects(fetchAll(page('2', [PATIENT]), ...refusals), { code: 'too_many_requests' });
  });

  it('are a cut-off answer, which is asked for again, where their JSON ends early', async () => {
    const text = JSON.stringify(page(null, [{ ...finding('c'), subject: { reference: 'urn:uuid:x' } }]));
    await assert.rejects(fetchAll(text.slice(0, -20)), { code: 'malformed_answer' });
    await assert.rejects(fetchAll(''), { code: 'malformed_answer' });
    await assert.rejects(fetchAll('<html></html>'), { code: 'not_fhir' });
    const parse = (body: string) => parseJsonBody({ status: 200, headers: {}, body: Buffer.from(body) });
    assert.throws(() => parse('{"resourceType":"Capab'), { code: 'malformed_answer' });
    assert.throws(() => parse('<html>'), { code: 'not_fhir' });
    assert.throws(() => parse('{"a":}'), { code: 'not_fhir' });
  });
});

describe('a record that is refused', () => {
  const fetchFrom = (search: Map<string, Set<string>>, ...answers: Answer[]): Promise<unknown> => {
    const capabilities = { search } as unknown as Parameters<typeof fetchRecord>[0]['capabilities'];
    const matched = { type: 'Patient', id: 'own', aliases: [], resource: PATIENT, bytes: null } as never;
    return fetchRecord(
      { ...createDeps(createServer(answers).client), capabilities },
      { matched, since: null },
    );
  };

  it('says why, where the server names no search by patient', async () => {
    for (const code of ['forbidden', 'gone', 'operation_outcome', 'rejected'] as const)
      await assert.rejects(fetchFrom(new Map(), new SourceFault(code)), { code });
  });

  it('says why, where the searches are refused too', async () => {
    const search = new Map([['Condition', new Set(['patient'])]]);
    await assert.rejects(fetchFrom(search, new SourceFault('gone'), new SourceFault('forbidden')), {
      code: 'forbidden',
    });
  });
});
