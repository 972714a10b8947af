import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createServiceSecret } from '../../server/platform/keys/service-secret.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import { findLink, getEverything, listReferences, type Bundle } from '../harness/fhir.ts';
import {
  call,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let admin: string;

before(async () => {
  service = await startTestService();
  admin = await getOrganizationToken(service);
  const { organizationId } = service.organization;
  const json = {
    url: 'https://partner.example/hook',
    description: 'Updates',
    eventTypes: ['records.updated'],
    projectScope: { type: 'all' },
  };
  const path = `/v1/organizations/${organizationId}/webhooks`;
  assert.equal((await call(service, path, { token: admin, json })).status, 201);
});
after(() => service.stop());

const createLab = (n: number) => ({
  resourceType: 'Observation',
  id: `lab-${n}`,
  status: 'final',
  category: [{ coding: [{ code: 'laboratory' }] }],
  code: { text: 'Potassium' },
});
const createCondition = (n: number) => ({ resourceType: 'Condition', id: `c-${n}`, code: { text: 'Gout' } });

/** A patient who shares laboratory results only, with conditions between them that are withheld. */
async function createPatientWith(conditions: number): Promise<TestPatient> {
  const patient = await newTestPatient(service, { consent: false });
  const scopes = { consentDataResourceScopes: ['LABS'] };
  assert.equal((await decide(service, patient, 'OPTED_IN', scopes)).status, 201);
  const hidden = Array.from({ length: conditions }, (_, n) => [`${n}.json`, createCondition(n)] as const);
  await upload(
    service,
    patient,
    await createArchive({
      '0-lab.json': createLab(0),
      ...Object.fromEntries(hidden),
      'z-lab.json': createLab(1),
    }),
  );
  return patient;
}

type Page = Bundle & { meta: { lastUpdated: string } };

async function readPage({ id }: { id: string }, query: string, token = admin): Promise<Page> {
  const { status, body } = await getEverything(service, { id, token }, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body as Page;
}

const getParameter = (page: Bundle, relation: string, name: string): string =>
  new URL(findLink(page, relation) ?? assert.fail(`no ${relation}`)).searchParams.get(name) ?? '';

const countEvents = async ({ id }: TestPatient): Promise<number> => {
  const [row] = await service.store.db.query(
    sql<{ total: number }>`select count(*) as total from webhook_event
      where type = 'records.updated' and data::text like ${`%${id}%`}`,
  );
  return row?.total ?? 0;
};

describe('a paging link', () => {
  it('counts nothing of what lies between two pages and is withheld (case 76)', async () => {
    const sizes = new Set<number>();
    for (const conditions of [0, 5, 28]) {
      const patient = await createPatientWith(conditions);
      const first = await readPage(patient, '_count=2');
      assert.equal(first.total, 3);
      const position = getParameter(first, 'next', '_after');
      assert.match(position, /^[\w-]{48}$/);
      assert.match(getParameter(first, 'next', '_state'), /^[\w-]{59}$/);
      sizes.add(JSON.stringify(first.link).length);
      const next = await call(service, (findLink(first, 'next') ?? '').slice(service.baseUrl.length), {
        token: admin,
      });
      assert.deepEqual(
        (next.body as Page).entry.map(({ resource }) => resource.id),
        ['lab-1'],
      );
      assert.equal((next.body as Page).meta.lastUpdated, first.meta.lastUpdated);
    }
    assert.equal(sizes.size, 1);
  });

  it('gives the time of the last change that the reader may see, and lasts as long (case 76)', async () => {
    const patient = await createPatientWith(1);
    const before = await readPage(patient, '_count=1');
    const events = await countEvents(patient);
    assert.equal(events, 1);
    service.clock.advance(60_000);
    await upload(service, patient, await createArchive({ 'c.json': createCondition(7) }));
    const after = await readPage(patient, '_count=1');
    assert.deepEqual([after.meta, after.total], [before.meta, before.total]);
    assert.equal(await countEvents(patient), events, 'no event for a change that is withheld');
    const since = await readPage(patient, `_since=${before.meta.lastUpdated}`);
    assert.deepEqual([since.total, since.entry], [0, undefined]);
    await upload(service, patient, await createArchive({ 'l.json': createLab(7) }));
    assert.equal(await countEvents(patient), events + 1);
    assert.equal((await readPage(patient, `_since=${before.meta.lastUpdated}`)).total, 1);
    // After a day a traversal of a consent that leaves something out ends, whatever has changed.
    service.clock.advance(25 * 3600_000);
    admin = await getOrganizationToken(service);
    const old = (findLink(after, 'next') ?? '').slice(service.baseUrl.length);
    assert.equal((await call(service, old, { token: admin })).status, 410);
  });

  it('is of use for one reader of one patient, and nobody else makes one (case 77)', async () => {
    const [one, other] = [await createPatientWith(0), await createPatientWith(0)];
    const own = await readPage(one, '_count=2');
    const [position, state] = ['_after', '_state'].map((name) => getParameter(own, 'next', name)) as [
      string,
      string,
    ];
    const refused = async (id: string, query: string, token: string): Promise<void> => {
      const { status, body } = await getEverything(service, { id, token }, query);
      assert.equal(status, 400, query);
      assert.match(JSON.stringify(body), /must be the value of a paging link/);
    };
    const altered = `${position.startsWith('A') ? 'B' : 'A'}${position.slice(1)}`;
    for (const made of ['0', '2', '28', position.slice(1), altered, state])
      await refused(one.id, `_after=${made}`, admin);
    await refused(one.id, `_state=${position}`, admin);
    await refused(other.id, `_after=${position}`, admin);
    await refused(other.id, `_state=${state}`, admin);
    await refused(one.id, `_after=${position}`, one.token);
  });

  it('is that of its page with all that stands in it: total, offset and position are sealed together', async () => {
    const patient = await newTestPatient(service);
    const labs = Array.from({ length: 8 }, (_, n) => [`${n}.json`, createLab(n)] as const);
    await upload(service, patient, await createArchive(Object.fromEntries(labs)));
    const next = findLink(await readPage(patient, '_count=3'), 'next') ?? '';
    const follow = (changed: Record<string, string>) => {
      const url = new URL(next);
      for (const [name, value] of Object.entries(changed)) url.searchParams.set(name, value);
      return call(service, url.pathname + url.search, { token: admin });
    };
    assert.doesNotMatch(next, /_total/);
    // Another offset, and what was counted for another page.
    const other = findLink((await follow({})).body as Page, 'next') ?? '';
    for (const changed of [
      { _offset: '0' },
      { _offset: '8' },
      { _counted: new URL(other).searchParams.get('_counted') ?? '' },
      { _counted: 'A'.repeat(80) },
    ]) {
      const { status, body } = await follow(changed);
      assert.equal(status, 400, JSON.stringify(changed));
      assert.match(JSON.stringify(body), /must be the value of a paging link/);
    }
    // A number that the client says counts for nothing, and what is filtered is counted as it is.
    assert.equal(((await follow({ _total: '7000' })).body as Page).total, 9);
    assert.equal(((await follow({ _type: 'Observation' })).body as Page).total, 8);
    assert.equal(((await follow({ _type: 'Person' })).body as Page).total, 1);
  });

  it('has the total of what is shared now, and leads through all of it after a narrowing', async () => {
    const patient = await newTestPatient(service);
    const files = Array.from({ length: 6 }, (_, n) => [
      [`a${n}.json`, createCondition(n)] as const,
      [`b${n}.json`, createLab(n)] as const,
    ]).flat();
    await upload(service, patient, await createArchive(Object.fromEntries(files)));
    const first = await readPage(patient, '_count=8');
    assert.equal(first.total, 13);
    const scopes = { consentDataResourceScopes: ['LABS'] };
    assert.equal((await decide(service, patient, 'OPTED_IN', scopes)).status, 201);
    const pages: Page[] = [];
    for (let url = findLink(first, 'next'); url !== undefined; url = findLink(pages.at(-1) as Page, 'next')) {
      const { status, body } = await call(service, url.slice(service.baseUrl.length), { token: admin });
      assert.equal(status, 200);
      pages.push(body as Page);
    }
    assert.ok(pages.every(({ total }) => total === 7));
    const seen = listReferences([first, ...pages]);
    for (const [n] of files.filter(([name]) => name.startsWith('b')).entries())
      assert.ok(seen.includes(`Observation/lab-${n}`), `lab-${n}`);
  });

  it('keeps the format and the kind of total that were asked for', async () => {
    const patient = await createPatientWith(0);
    const accept = { token: admin, headers: { accept: 'text/html' } };
    const path = `/FHIR/R4/Person/${patient.id}/$everything?_count=1&_format=json&_total=accurate`;
    const first = (await call(service, path, accept)).body as Page;
    for (const { relation, url } of first.link) {
      const { searchParams } = new URL(url);
      assert.deepEqual([searchParams.get('_format'), searchParams.get('_total')], ['json', 'accurate']);
      const { status, body } = await call(service, url.slice(service.baseUrl.length), accept);
      assert.equal(status, 200, relation);
      assert.equal((body as Page).entry.length, 1);
    }
    const ndjson = { token: admin, headers: { accept: 'application/fhir+ndjson' } };
    const next = (findLink(first, 'next') ?? '').slice(service.baseUrl.length);
    assert.equal(((await call(service, next, ndjson)).body as Page).resourceType, 'Bundle');
  });

  it('opens on every node and after a restart: the key is of the store (case 77)', async () => {
    const { db } = service.store;
    const nodes = Array.from({ length: 5 }, () =>
      createServiceSecret({ db, clock: service.clock }, 'shared'),
    );
    const secrets = await Promise.all(nodes.map((getSecret) => getSecret()));
    assert.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, 1);
    assert.notDeepEqual(secrets[0], await createServiceSecret({ db, clock: service.clock }, 'another')());
  });
});
