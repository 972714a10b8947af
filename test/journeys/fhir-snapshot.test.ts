import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { purgeVersions } from '../../server/clinical/store/purge-versions.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { reindexAll } from '../../server/clinical/ingest/import/reindex.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  fetchAllPages,
  getEverything,
  findLink,
  listEntries,
  listReferences,
  parseReferences,
  fetchNdjsonLines,
  formatOutcome,
  type Bundle,
} from '../harness/fhir.ts';
import {
  call,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

const HOUR_MS = 3600 * 1000;

const observation = (id: string, text: string): object => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { text },
  performer: [{ reference: id === 'o7' ? 'Practitioner?identifier=urn:npi|42' : 'Practitioner/early' }],
});

const buildNumbered = (from: number, to: number, text: string): object[] =>
  Array.from({ length: to - from }, (_, place) => observation(`o${from + place}`, text));

const FIRST = createBundle(
  { resourceType: 'Patient', id: 'p', birthDate: '1970-04-01' },
  { resourceType: 'Practitioner', id: 'early', name: [{ text: 'Ann Lee' }] },
  ...buildNumbered(0, 20, 'old'),
);

/** Two that are changed, one whose reference now leads somewhere, and new ones. */
const SECOND = createBundle(
  observation('o3', 'new'),
  observation('o18', 'new'),
  { resourceType: 'Practitioner', id: 'late', identifier: [{ system: 'urn:npi', value: '42' }] },
  ...buildNumbered(20, 24, 'new'),
);
const CHANGED = ['Observation/o3', 'Observation/o7', 'Observation/o18'];
const ADDED = [
  'Practitioner/late',
  'Observation/o20',
  'Observation/o21',
  'Observation/o22',
  'Observation/o23',
];

for (const engine of JOURNEY_ENGINES) {
  describe(`the pages of one traversal on ${engine}`, () => {
    let service: TestService;
    let admin: string;
    before(async () => {
      service = await startTestService({ engine });
      admin = await getOrganizationToken(service);
    });
    after(() => service.stop());

    async function importRecord(): Promise<{ patient: TestPatient; who: { id: string; token: string } }> {
      const patient = await newTestPatient(service);
      await upload(service, patient, await createArchive({ 'first.json': FIRST }));
      return { patient, who: { id: patient.id, token: admin } };
    }

    const follow = async (url: string | undefined): Promise<Bundle> => {
      const { status, body } = await call(service, (url ?? '').slice(service.baseUrl.length), {
        token: await getOrganizationToken(service),
      });
      assert.equal(status, 200, JSON.stringify(body));
      return body as Bundle;
    };

    const serializeBodies = (pages: readonly Bundle[]): string =>
      JSON.stringify(pages.flatMap((page) => listEntries(page).map(({ resource }) => resource)));

    const getState = (bundle: Bundle | undefined): string =>
      (bundle as unknown as { meta: { lastUpdated: string } }).meta.lastUpdated;

    for (const count of [1, 5, 11, 22])
      it(`show the record as it was at the first, ${count} at a time, while a batch changes it`, async () => {
        const { patient, who } = await importRecord();
        const whole = await fetchAllPages(service, who, '_count=5000');
        const pages = await fetchAllPages(service, who, `_count=${count}`, async (page) => {
          if (page === 1) await upload(service, patient, await createArchive({ 'second.json': SECOND }));
        });
        assert.deepEqual(listReferences(pages), listReferences(whole));
        assert.equal(serializeBodies(pages), serializeBodies(whole), 'as they were, reference and all');
        assert.ok(pages.every(({ total }) => total === 23));
        assert.deepEqual([...new Set(pages.map(getState))], [getState(whole[0])]);
        // By a link that names no place, and as lines.
        const state = `_state=${getState(whole[0])}`;
        assert.equal(
          serializeBodies([(await getEverything(service, who, state)).body as Bundle]),
          serializeBodies(whole),
        );
        assert.deepEqual(parseReferences(await fetchNdjsonLines(service, who, state)), listReferences(whole));
        assert.deepEqual(
          listReferences([(await getEverything(service, who, `${state}&_count=6&_offset=8`)).body as Bundle]),
          listReferences(whole).slice(8, 14),
        );

        const anew = await fetchAllPages(service, who, `_count=${count}`);
        assert.deepEqual([...listReferences(anew)].sort(), [...listReferences(whole), ...ADDED].sort());
        assert.match(serializeBodies(anew), /"id":"o3","status":"final","code":{"text":"new"}/);
        assert.match(serializeBodies(anew), /"id":"o7".*"Practitioner\/late"/);
        const since = await fetchAllPages(service, who, `_count=${count}&_since=${getState(whole[0])}`);
        assert.deepEqual(listReferences(since).sort(), [...CHANGED, ...ADDED].sort());
        const nothing = (await getEverything(service, who, `_since=${getState(anew[0])}`)).body as Bundle;
        assert.deepEqual([nothing.total, nothing.entry], [0, undefined]);
      });

    it('are limited by the clinical dates of that state, also of records from before a reindex', async () => {
      const { patient, who } = await importRecord();
      const measureIn = (year: number): object => ({
        resourceType: 'Observation',
        id: 'dated',
        status: 'final',
        effectiveDateTime: `${year}-06-01`,
      });
      const change = async (year: number): Promise<void> =>
        upload(service, patient, await createArchive({ 'dated.json': measureIn(year) }));
      const isListed = async (query: string): Promise<boolean> =>
        listReferences(await fetchAllPages(service, who, `_count=9&${query}`)).includes('Observation/dated');
      await change(2015);
      const state = `_state=${getState((await getEverything(service, who)).body as Bundle)}`;
      await change(2020);
      assert.deepEqual(
        [await isListed('start=2015&end=2015'), await isListed(`start=2015&end=2015&${state}`)],
        [false, true],
      );
      assert.deepEqual([await isListed('start=2020'), await isListed(`start=2020&${state}`)], [true, false]);
      const { db } = service.store;
      await db.query(
        sql`update resource set first_day = '-infinity', last_day = 'infinity' where patient_id = ${patient.id}`,
      );
      assert.equal(await isListed('end=2015'), true, 'nothing is left out that was never looked at');
      await reindexAll({ db, clock: service.clock, extractText: async () => null, getVocabulary });
      assert.equal(await isListed('end=2015'), false);
    });

    it('show it twice changed as it was each time', async () => {
      const { patient, who } = await importRecord();
      const versions = ['old', 'second', 'third', 'fourth'];
      const states: string[] = [];
      for (const version of versions) {
        if (version !== 'old')
          await upload(service, patient, await createArchive({ 'o.json': observation('o5', version) }));
        states.push(getState((await getEverything(service, who, '_count=0')).body as Bundle));
      }
      for (const [index, state] of states.entries()) {
        const page = (await getEverything(service, who, `_state=${state}`)).body as Bundle;
        assert.equal(page.total, 23);
        const found = page.entry.filter(({ resource }) => resource.id === 'o5');
        assert.deepEqual(
          found.map(({ resource }) => resource['code']),
          [{ text: versions[index] }],
        );
      }
      const among = `_since=${states[1]}&_state=${states[2]}`;
      const page = (await getEverything(service, who, among)).body as Bundle;
      assert.deepEqual([listReferences([page]), page.total], [['Observation/o5'], 1]);
    });

    it('are to be had for a day after a change, and the first of them is returned again however old the record is', async () => {
      const { patient, who } = await importRecord();
      service.clock.advance(40 * 24 * HOUR_MS);
      const token = await getOrganizationToken(service);
      const partner = { ...who, token };
      const first = (await getEverything(service, partner, '_count=5')).body as Bundle;
      await reUpload(patient);
      await purgeVersions({ db: service.store.db, clock: service.clock });
      // The record had not changed for weeks before: that its state is old is not the reader's fault.
      const second = await follow(findLink(first, 'next'));
      assert.equal(second.entry.length, 5);
      service.clock.advance(23 * HOUR_MS);
      await purgeVersions({ db: service.store.db, clock: service.clock });
      const third = await follow(findLink(second, 'next'));
      assert.match(serializeBodies([first, second, third]), /"old"/);
      assert.doesNotMatch(serializeBodies([first, second, third]), /"new"/);
      service.clock.advance(2 * HOUR_MS);
      const late = await call(service, (findLink(third, 'next') ?? '').slice(service.baseUrl.length), {
        token: await getOrganizationToken(service),
      });
      assert.equal(late.status, 410);
      assert.match(formatOutcome(late), /^expired /);
      const kept = sql<{
        kept: number;
      }>`select count(*) as kept from resource_version where patient_id = ${who.id}`;
      assert.deepEqual(await service.store.db.query(kept), [{ kept: CHANGED.length }]);
      await purgeVersions({ db: service.store.db, clock: service.clock });
      assert.deepEqual(await service.store.db.query(kept), [{ kept: 0 }]);
      // A record that did not change is the same whenever its pages are asked for.
      const newest = (
        await getEverything(service, { ...who, token: await getOrganizationToken(service) }, '_count=5')
      ).body;
      service.clock.advance(72 * HOUR_MS);
      assert.equal((await follow(findLink(newest as Bundle, 'next'))).entry.length, 5);
    });

    async function reUpload(patient: TestPatient): Promise<void> {
      const { email, password, projectId } = patient;
      const login = await call(service, '/v1/auth/token', { json: { email, password, projectId } });
      const again = { ...patient, token: login.body.token as string };
      await upload(service, again, await createArchive({ 'second.json': SECOND }));
    }
  });
}
