import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BatchId, PatientId } from '../../contract/brands.ts';
import { labelBit } from '../../server/consent/access/sensitivity-labels.ts';
import { removeBatch } from '../../server/clinical/ingest/batches/remove-batch.ts';
import { importResources } from '../../server/clinical/ingest/import/import.ts';
import { reindexAll } from '../../server/clinical/ingest/import/reindex.ts';
import { parseResource } from '../../server/clinical/store/parse-resource.ts';
import { endLabeling } from '../../server/clinical/store/required-labels.sql.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { recordConsentWithout } from '../harness/consent-record.ts';
import { fetchAllPages, findLink, listEntries, listReferences, type Bundle } from '../harness/fhir.ts';
import { nameSpoolFile } from '../harness/import-record.ts';
import {
  call,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { ENGINES, JOURNEY_ENGINES } from '../harness/store.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

const observation = (id: string, text: string): object => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { text },
});

/** Its text is extracted as it is labeled: when all of its batch is written. */
const letter = (id: string): object => ({
  resourceType: 'DocumentReference',
  id,
  status: 'current',
  content: [
    {
      attachment: { contentType: 'application/pdf', data: Buffer.from(`%PDF-1.7 ${id}`).toString('base64') },
    },
  ],
});

const FIRST = [
  { resourceType: 'Patient', id: 'p', birthDate: '1970-04-01' },
  ...['o1', 'o2', 'o3', 'o4'].map((id) => observation(id, 'Sodium')),
];
const SECOND = [observation('o2', 'Potassium'), observation('o5', 'Potassium'), letter('d')];
const BROUGHT = ['DocumentReference/d', 'Observation/o2', 'Observation/o5'];

const getState = (pages: readonly Bundle[]): string =>
  (pages[0] as unknown as { meta: { lastUpdated: string } }).meta.lastUpdated;

const serialize = (pages: readonly Bundle[]): string =>
  JSON.stringify(pages.flatMap((page) => listEntries(page).map(({ resource }) => resource)));

for (const engine of ENGINES) {
  describe(`what is new in a record on ${engine}`, () => {
    let service: TestService;
    let token: string;
    before(async () => {
      service = await startTestService({ engine });
      token = await getOrganizationToken(service);
    });
    after(() => service.stop());

    /**
     * Writes and labels resources as a batch that has not ended. `onLabeling` runs when they are written, before a letter among them
     * is labeled, and when all have labels of their own, before those that others share with them are known.
     */
    async function write(
      { id }: TestPatient,
      resources: readonly object[],
      onLabeling: () => Promise<void> = async () => {},
    ): Promise<BatchId> {
      const { db } = service.store;
      const batchId = generateId<BatchId>();
      const query: Db['query'] = async (statement) => {
        if (statement.text.includes('as binary_seq')) await onLabeling();
        return db.query(statement);
      };
      await importResources(
        {
          db: { ...db, query },
          clock: service.clock,
          getVocabulary,
          async extractText() {
            await onLabeling();
            return { text: 'Well.', isComplete: true, besides: [], patients: [] };
          },
        },
        {
          patientId: id as PatientId,
          batchId,
          origin: '',
          spoolFile: nameSpoolFile(),
          signal: new AbortController().signal,
        },
        (async function* () {
          for (const resource of resources) {
            const text = JSON.stringify(resource);
            yield {
              path: 'record.json',
              found: { text, resource: parseResource(text), fullUrl: null, position: '' },
            };
          }
        })(),
      );
      return batchId;
    }

    const end = ({ id }: TestPatient): Promise<unknown> =>
      service.store.db.query(endLabeling(id as PatientId));

    const reindex = (): Promise<unknown> =>
      reindexAll({
        db: service.store.db,
        clock: service.clock,
        extractText: async () => null,
        getVocabulary,
      });

    const setLabels = ({ id }: TestPatient, reference: string, labels: number): Promise<unknown> =>
      service.store.db.query(sql`
        update resource_label l set required_labels = ${labels}::integer from resource r
        where r.patient_id = ${id} and l.patient_id = ${id} and l.seq = r.seq
          and r.resource_type || '/' || r.fhir_id = ${reference}`);

    async function createRecord(
      resources: readonly object[] = FIRST,
      isRestricted = true,
    ): Promise<TestPatient> {
      const patient = await newTestPatient(service);
      if (isRestricted) await recordConsentWithout(service, patient, 'MENTAL_HEALTH');
      await write(patient, resources);
      await end(patient);
      return patient;
    }

    const read = ({ id }: TestPatient, query = '_count=2'): Promise<Bundle[]> =>
      fetchAllPages(service, { id, token }, query);

    const listNew = async (patient: TestPatient, since: string): Promise<string[]> =>
      listReferences(await read(patient, `_count=2&_since=${since}`)).sort();

    const readById = ({ id }: TestPatient, reference: string) =>
      call(service, `/FHIR/R4/Person/${id}/${reference}`, { token });

    async function follow(page: Bundle | undefined): Promise<Bundle[]> {
      const pages: Bundle[] = [];
      for (let next = page && findLink(page, 'next'); next !== undefined;) {
        const { status, body } = await call(service, next.slice(service.baseUrl.length), { token });
        assert.equal(status, 200, JSON.stringify(body));
        pages.push(body as Bundle);
        next = findLink(body as Bundle, 'next');
      }
      return pages;
    }

    it('is seen, where a consent leaves something out, when all of its batch is labeled, and comes then', async () => {
      const patient = await createRecord();
      const first = await read(patient);
      let looks = 0;
      let begun: Bundle | undefined;
      const look = async (): Promise<void> => {
        looks++;
        const meanwhile = await read(patient);
        assert.equal(serialize(meanwhile), serialize(first));
        assert.deepEqual(
          meanwhile.map((page) => [page.total, getState([page])]),
          first.map((page) => [page.total, getState([page])]),
        );
        assert.deepEqual(await listNew(patient, getState(first)), []);
        const { status, body } = await readById(patient, 'Observation/o2');
        assert.deepEqual([status, body.code], [200, { text: 'Sodium' }], 'as the entry with this address');
        assert.equal((await readById(patient, 'Observation/o5')).status, 404);
        [begun] = meanwhile;
      };
      await write(patient, SECOND, look);
      await look();
      assert.ok(looks > 1);
      await end(patient);
      assert.equal(serialize([begun!, ...(await follow(begun))]), serialize(first), 'one state');
      assert.deepEqual(await listNew(patient, getState(first)), BROUGHT);
      assert.deepEqual((await readById(patient, 'Observation/o2')).body.code, { text: 'Potassium' });
      assert.deepEqual(await listNew(patient, getState(await read(patient))), []);
    });

    it('is seen as it is written, where a consent leaves out nothing, and what is not seen yet comes later', async () => {
      const patient = await createRecord(FIRST, false);
      const seen = new Map<string, string>();
      let since = getState(await read(patient));
      const poll = async (): Promise<void> => {
        const pages = await read(patient, `_count=2&_since=${since}`);
        for (const { resource } of pages.flatMap(listEntries))
          seen.set(`${resource.resourceType}/${resource.id}`, JSON.stringify(resource));
        since = getState(pages);
      };
      await write(patient, SECOND, poll);
      await poll();
      assert.deepEqual([...seen.keys()].sort(), BROUGHT);
      assert.match(seen.get('Observation/o2') ?? '', /Potassium/);
    });

    it('includes what other labels show since, and not what comes out as it was', async () => {
      const group = [
        { resourceType: 'Binary', id: 'b', contentType: 'text/plain', data: btoa('Major depression.') },
        {
          resourceType: 'DocumentReference',
          id: 'named',
          status: 'current',
          content: [{ attachment: { url: 'Binary/b' } }],
        },
        observation('low', 'Major depression'),
      ];
      const patient = await createRecord([...FIRST, ...group]);
      // As a program stored it that knew other words.
      await setLabels(patient, 'Observation/o3', labelBit('MENTAL_HEALTH'));
      await setLabels(patient, 'Observation/low', 0);
      const before = await read(patient);
      const references = listReferences(before);
      assert.ok(references.includes('Observation/low') && !references.includes('Observation/o3'));
      assert.ok(!references.includes('DocumentReference/named'));
      await reindex();
      const rest = await follow(before[0]);
      const shown = listReferences([before[0]!, ...rest]);
      assert.deepEqual(
        shown,
        references.filter((name) => name !== 'Observation/low'),
        'nothing came, and what is left out now went',
      );
      assert.deepEqual(await listNew(patient, getState(before)), ['Observation/o3']);
      const after = await read(patient);
      assert.ok(!listReferences(after).includes('Observation/low'));
      await reindex();
      assert.deepEqual(await listNew(patient, getState(after)), []);
      const full = await createRecord([...FIRST, ...group], false);
      const state = getState(await read(full));
      await reindex();
      assert.deepEqual(await listNew(full, state), [], 'labels that are lower on the way are no change');
    });

    it('shows nothing on the way that a consent leaves out', async () => {
      const binary = {
        resourceType: 'Binary',
        id: 'b',
        contentType: 'text/plain',
        data: btoa('Major depression.'),
      };
      const named = {
        resourceType: 'DocumentReference',
        id: 'named',
        status: 'current',
        content: [{ attachment: { url: 'Binary/b' } }],
      };
      const patient = await createRecord([...FIRST, binary, named, letter('old')]);
      let looks = 0;
      const look = async (): Promise<void> => {
        looks++;
        assert.ok(!listReferences(await read(patient)).includes('DocumentReference/named'));
        assert.equal((await readById(patient, 'DocumentReference/named')).status, 404);
      };
      // All of the record is labeled anew, since something of it changed.
      await write(patient, SECOND, look);
      assert.ok(looks > 0);
      await end(patient);
      await look();
    });

    it('comes also of a batch that failed, once it is labeled', async () => {
      const patient = await createRecord();
      const before = await read(patient);
      await assert.rejects(
        write(patient, SECOND, () => Promise.reject(new Error('The disk is full'))),
        /The disk is full/,
      );
      assert.deepEqual(await listNew(patient, getState(before)), []);
      await end(patient);
      const failed = await read(patient);
      await reindex();
      const since = await listNew(patient, getState(failed));
      const brought = await read(patient);
      assert.deepEqual(
        [...new Set([...listReferences(failed), ...since])].sort(),
        listReferences(brought).sort(),
      );
      assert.ok(listReferences(brought).includes('Observation/o5'));
    });

    it('is read after something is taken out while a batch is written', async () => {
      const { db } = service.store;
      const patient = await newTestPatient(service);
      const patientId = patient.id as PatientId;
      await recordConsentWithout(service, patient, 'MENTAL_HEALTH');
      const batchId = await write(patient, FIRST);
      await end(patient);
      await db.query(sql`
        insert into upload_batch (patient_id, batch_id, status, received_at, position)
        values (${patientId}, ${batchId}, 'completed', now(), 1)`);
      const states: string[] = [];
      const seen = new Set<string>();
      const poll = async (): Promise<void> => {
        const pages = await read(
          patient,
          states.length === 0 ? '_count=2' : `_count=2&_since=${states.at(-1)}`,
        );
        for (const name of listReferences(pages)) seen.add(name);
        states.push(getState(pages));
      };
      await write(patient, SECOND, async () => {
        if (states.length === 0) {
          const { clock } = service;
          const audit = createAuditLog({ db, clock });
          const jobs = { enqueue: async () => {} };
          await removeBatch({ db, clock, audit, jobs, emitUpdate: async () => {} }, { patientId, batchId });
        }
        await poll();
      });
      await end(patient);
      await reindex();
      await poll();
      const now = listReferences(await read(patient));
      assert.deepEqual(
        now.filter((name) => !seen.has(name)),
        [],
      );
      assert.ok(now.includes('Observation/o5'));
    });
  });
}

for (const engine of JOURNEY_ENGINES)
  describe(`a client that keeps what it read on ${engine}`, () => {
    let service: TestService;
    let token: string;
    before(async () => {
      service = await startTestService({ engine });
      token = await getOrganizationToken(service);
    });
    after(() => service.stop());

    const createUpload = (round: number): Promise<Buffer> =>
      createArchive({
        'record.json': createBundle(
          { resourceType: 'Patient', id: 'p', birthDate: '1970-04-01' },
          ...Array.from({ length: 900 }, (_, n) =>
            observation(`o${n + round * 600}`, n % 9 === 0 ? `Major depression ${round}` : `Sodium ${round}`),
          ),
        ),
      });

    for (const isRestricted of [true, false])
      it(`has all of a record that was read meanwhile, ${isRestricted ? 'under a consent that leaves something out' : 'all of which is shared'}`, async () => {
        const patient = await newTestPatient(service);
        if (isRestricted) await recordConsentWithout(service, patient, 'MENTAL_HEALTH');
        const who = { id: patient.id, token };
        const kept = new Map<string, string>();
        let since = '';
        const progress = { isRead: false };
        const poll = async (): Promise<void> => {
          const pages = await fetchAllPages(service, who, `_count=300${since && `&_since=${since}`}`);
          for (const { fullUrl, resource } of pages.flatMap(listEntries))
            kept.set(fullUrl, JSON.stringify(resource));
          assert.equal(
            new Set(pages.map((page) => `${page.total} ${getState([page])}`)).size,
            1,
            'one state',
          );
          assert.equal(pages.flatMap(listEntries).length, pages[0]?.total);
          since = getState(pages);
        };
        const uploads = Promise.all(
          [0, 1].map(async (round) => upload(service, patient, await createUpload(round))),
        ).finally(() => {
          progress.isRead = true;
        });
        let polls = 0;
        for (; !progress.isRead; polls++) await poll();
        await uploads;
        await poll();
        const now = (await fetchAllPages(service, who, '_count=5000')).flatMap(listEntries);
        assert.ok(polls > 2 && now.length > 1000, `${polls} polls, ${now.length} entries`);
        assert.deepEqual(
          now.flatMap(({ fullUrl, resource }) =>
            kept.get(fullUrl) === JSON.stringify(resource) ? [] : fullUrl,
          ),
          [],
        );
      });
  });
