import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PATIENT_TABLES } from '../../server/identity/patients/delete-patient.sql.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { confirmUpload, newAskedPatient, sendFiles } from '../harness/asked-patient.ts';
import { createSignedInBrowser } from '../harness/authorization.ts';
import { getEverything } from '../harness/fhir.ts';
import {
  call,
  callTool,
  getOrganizationToken,
  getToolText,
  newTestPatient,
  startTestService,
  waitForBatch,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const patient = (given: string, more: object = {}): object => ({
  resourceType: 'Patient',
  id: `patient-${given}`,
  name: [{ given: [given], family: 'Lopez' }],
  ...more,
});
const condition = (text: string, id = 'c'): object => ({
  resourceType: 'Condition',
  id,
  // Of one id it is one fact in several versions, which its title says.
  code: { coding: [{ system: 'urn:versions', code: id }], text },
  onsetDateTime: '2020-02-03',
});
const LETTER = '<html><body><p>Dear colleague, zebras.</p></body></html>';

const MINE = { 'mine.json': createBundle(patient('Ana', { birthDate: '1980-05-05' }), condition('Asthma')) };
const OTHERS = {
  'chart/theirs.json': createBundle(
    patient('Maria', { birthDate: '1956-03-02', gender: 'female' }),
    condition('Scurvy', 'd'),
  ),
  'letter.html': LETTER,
};

for (const engine of JOURNEY_ENGINES) {
  describe(`an upload that names another person: ${engine}`, () => {
    let service: TestService;
    let admin: string;
    before(async () => {
      service = await startTestService({ engine });
      admin = await getOrganizationToken(service);
    });
    after(() => service.stop());

    const url = ({ id }: TestPatient, batchId = ''): string =>
      `/v1/patients/${id}/upload-documents${batchId && `/${batchId}`}`;

    const newPerson = (): Promise<TestPatient> => newAskedPatient(service);
    const send = (person: TestPatient, contents: Record<string, unknown>, query = '') =>
      sendFiles(service, person, contents, query);
    const confirm = (person: TestPatient, batchId: string): Promise<HttpResponse> =>
      confirmUpload(service, person, batchId);

    async function countRows(table: string, person: TestPatient): Promise<number> {
      const [row] = await service.store.db.query<{ rows: number }>({
        text: `select count(*)::integer as rows from ${table} where patient_id = $1`,
        values: [person.id],
      });
      return row?.rows ?? 0;
    }

    const listTitles = async (person: TestPatient): Promise<string[]> =>
      (
        await service.store.db.query(sql<{ title: string }>`
          select title from clinical_entry where patient_id = ${person.id} and kind = 'condition' order by title`)
      ).map(({ title }) => title);

    it('case 210: is asked about, and until it is answered no surface has anything of it', async () => {
      const person = await newPerson();
      assert.equal((await send(person, MINE)).status, 'completed');
      const before = await Promise.all(PATIENT_TABLES.map((table) => countRows(table, person)));
      const batch = await send(person, OTHERS);
      assert.deepEqual(
        [batch.status, batch.completedAt, batch.resources],
        ['needs_confirmation', null, { created: 0, updated: 0, unchanged: 0 }],
      );
      assert.deepEqual(batch.question, {
        persons: [
          {
            name: 'Maria Lopez',
            birthDate: '1956-03-02',
            sex: 'female',
            path: 'chart/theirs.json',
            differs: ['name', 'birthDate'],
          },
        ],
        total: 1,
        account: { name: 'Ana Lopez', birthDate: null, sex: null },
        record: [{ name: 'Ana Lopez', birthDate: '1980-05-05', sex: null }],
      });
      const after = await Promise.all(PATIENT_TABLES.map((table) => countRows(table, person)));
      const grown = PATIENT_TABLES.filter((_table, index) => after[index] !== before[index]);
      assert.deepEqual(grown.sort(), ['batch_person', 'blob_chunk', 'conversion_time', 'upload_batch']);
      for (const name of [
        'get_conditions',
        'search',
        'get_health_summary',
        'update_and_check_recent_records',
      ]) {
        const text = getToolText(
          await callTool(service, person, name, {
            ...(name === 'search' && { query: 'scurvy zebras' }),
            ...(name === 'get_conditions' && { years: 50 }),
          }),
        );
        assert.doesNotMatch(text, /Scurvy|Maria/, name);
        assert.match(text, /1 upload waits for the patient's answer whether it is about them/);
      }
      const { body } = await getEverything(service, { id: person.id, token: admin });
      assert.doesNotMatch(JSON.stringify(body), /Scurvy|Maria/);
      const documents = await call(service, `/v1/patients/${person.id}/documents`, { token: person.token });
      assert.deepEqual(documents.body.results, []);
      const events = await service.store.db.query(sql`
        select 1 from webhook_event where patient_id = ${person.id} and data::text like ${`%${batch.batchId}%`}`);
      assert.deepEqual(events, []);
    });

    it('is read when the patient says yes, and who it names is known from then on', async () => {
      const person = await newPerson();
      const { batchId } = await send(person, OTHERS);
      const answers = await Promise.all([confirm(person, batchId), confirm(person, batchId)]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [202, 202],
      );
      const batch = await waitForBatch(service, person, batchId);
      assert.deepEqual([batch.status, batch.question, batch.documents.total], ['completed', null, 2]);
      assert.deepEqual(await listTitles(person), ['Scurvy']);
      assert.equal(await countRows('batch_person', person), 0);
      assert.equal((await confirm(person, batchId)).status, 202);
      assert.equal((await waitForBatch(service, person, batchId)).completedAt, batch.completedAt);
      const { body } = await call(
        service,
        `/v1/organizations/${service.organization.organizationId}/audit-events?action=upload.confirmed`,
        { token: admin },
      );
      const entries = (body.results as { detail: { batchId: string } }[]).filter(
        ({ detail }) => detail.batchId === batchId,
      );
      assert.equal(entries.length, 1);
      const again = {
        'b.json': createBundle(patient('Maria', { birthDate: '1956' }), condition('Gout', 'g')),
      };
      assert.equal((await send(person, again)).status, 'completed');
      const other = { 'c.json': createBundle(patient('Maria', { birthDate: '1990' })) };
      assert.equal((await send(person, other)).status, 'needs_confirmation');
    });

    it('is taken out whole when the patient says no', async () => {
      const person = await newPerson();
      const { batchId } = await send(person, OTHERS);
      const browser = await createSignedInBrowser(service, person);
      assert.equal((await browser.post('/account/uploads/remove', { batchId })).status, 204);
      for (const table of ['upload_batch', 'batch_person', 'blob_chunk', 'document', 'resource'])
        assert.equal(await countRows(table, person), 0, table);
      assert.equal((await confirm(person, batchId)).status, 404);
      assert.equal((await browser.post('/account/uploads/confirm', { batchId })).status, 404);
    });

    it('is asked about where a letter or a report says whose it is, and not where it is theirs', async () => {
      const person = await newPerson();
      const report = (name: string): string =>
        `Hill Clinic\nPatient: ${name}\tDOB: May 5, 1980\n\nAll is well.`;
      assert.equal((await send(person, { 'mine.txt': report('LOPEZ, ANA M.') })).status, 'completed');
      const { status, question } = await send(person, {
        'theirs.html': `<p>${report('Maria Lopez').replaceAll('\n', '<br>').replace('\t', ' | ')}</p>`,
      });
      assert.equal(status, 'needs_confirmation');
      assert.deepEqual(question.persons, [
        { name: 'Maria Lopez', birthDate: '1980-05-05', sex: null, path: 'theirs.html', differs: ['name'] },
      ]);
    });

    it('is asked about where a resource is of somebody who is not in it, or is named otherwise', async () => {
      const person = await newPerson();
      const of = (subject: object): object => ({ ...condition('Gout', 'g'), subject });
      const mine = patient('Ana', { identifier: [{ system: 'u', value: '7' }] });
      const both = 'Patient?identifier=u|9&identifier=u|7';
      const report = (name: string) => [
        { name, birthDate: null, sex: null, path: 'a.json', differs: ['name'] },
      ];
      for (const [resource, name] of [
        [of({ reference: 'Patient/x' }), 'Patient/x'],
        [of({ reference: both }), both],
        [of({ reference: 'Patient/x', display: 'John Doe' }), 'John Doe'],
        [of({ reference: 'Patient/patient-Ana', display: 'Doe, John' }), 'Doe, John'],
        [of({ display: 'John Doe' }), 'John Doe'],
        [of({ identifier: { system: 'u', value: '9' }, display: 'John Doe' }), 'John Doe'],
        [
          {
            resourceType: 'Parameters',
            id: 'p',
            parameter: [{ name: 'n', resource: of({ display: 'John Doe' }) }],
          },
          'John Doe',
        ],
      ] as const) {
        const { status, question } = await send(person, { 'a.json': createBundle(mine, resource) });
        assert.deepEqual([status, question?.persons], ['needs_confirmation', report(name)], name);
      }
      const { status } = await send(person, { 'a.json': of({ display: 'John Doe' }) });
      assert.equal(status, 'needs_confirmation');
    });

    it('is not asked about where its owner is theirs, however that is written, or is nobody who is named', async () => {
      const person = await newPerson();
      const of = (subject: object): object => ({ ...condition('Gout', 'g'), subject });
      const mine = patient('Ana', { identifier: [{ system: 'u', value: '7' }] });
      const urn = 'urn:uuid:11111111-1111-4111-8111-111111111111';
      for (const resource of [
        of({ reference: 'Patient/patient-Ana/_history/2' }),
        of({ reference: 'https://ehr.example/fhir/Patient/patient-Ana' }),
        of({ reference: urn.toUpperCase() }),
        of({ reference: 'Patient?identifier=u|7' }),
        of({ identifier: { system: 'u', value: '7' } }),
        of({ identifier: { system: 'other', value: '1' } }),
        of({ display: 'LOPEZ, ANA MARIA' }),
        of({ reference: 'Patient/patient-Ana', display: 'Patient 1' }),
        of({ type: 'Patient', display: 'The patient of this record' }),
        of({ reference: 'Device/x', display: 'Blood Pressure Cuff' }),
        of({ type: 'Group', display: 'All Lopez Sisters' }),
      ]) {
        const { status } = await send(person, { 'a.json': createBundle([urn, mine], resource) });
        assert.equal(status, 'completed', JSON.stringify(resource));
      }
      // What an export of its results alone leaves out, and an earlier upload has brought.
      for (const id of ['patient-x', 'patient-Ana'])
        assert.equal(
          (await send(person, { 'a.json': of({ reference: `Patient/${id}` }) })).status,
          'completed',
        );
      const later = createBundle(
        { ...patient('Ana'), id: 'second' },
        of({ reference: 'Patient/patient-Ana' }),
      );
      assert.equal((await send(person, { 'a.json': later })).status, 'completed');
    });

    it('is not asked about where that is said beforehand, or the patient is a test patient', async () => {
      const person = await newPerson();
      assert.equal((await send(person, OTHERS, '?confirm=true')).status, 'completed');
      const asked = await send(await newPerson(), OTHERS, '?confirm=false');
      assert.equal(asked.status, 'needs_confirmation');
      assert.equal((await send(await newTestPatient(service), OTHERS)).status, 'completed');
      const form = new FormData();
      form.append('file', new Blob([await createArchive(MINE)]), 'a.zip');
      const { status } = await call(service, `${url(person)}?confirm=maybe`, {
        token: person.token,
        body: form,
      });
      assert.equal(status, 400);
    });

    it('lets later uploads be read, and writes nothing over them when it is confirmed after them', async () => {
      const person = await newPerson();
      const version = (text: string, named: string): Record<string, unknown> => ({
        'a.json': createBundle(patient(named), condition(text)),
      });
      await send(person, version('first', 'Ana'));
      const held = await send(person, {
        'a.json': createBundle(patient('Maria'), condition('second'), condition('theirs alone', 'e')),
      });
      const later = await send(person, version('third', 'Ana'));
      assert.deepEqual(
        [held.status, later.status, await listTitles(person)],
        ['needs_confirmation', 'completed', ['third']],
      );
      await confirm(person, held.batchId);
      const read = await waitForBatch(service, person, held.batchId);
      assert.deepEqual(read.resources, { created: 2, updated: 0, unchanged: 0 });
      assert.deepEqual(
        [read.status, ...read.notes.map(({ path, code }: { path: string; code: string }) => [path, code])],
        ['completed', ['a.json#entry[1]', 'older_version']],
      );
      assert.deepEqual(await listTitles(person), ['theirs alone', 'third']);
      // Taken out again, the newer upload leaves the older one's content, and that one the first one's.
      for (const [batchId, titles] of [
        [later.batchId, ['second', 'theirs alone']],
        [held.batchId, ['first']],
      ] as const) {
        const { status } = await call(service, url(person, batchId), {
          method: 'DELETE',
          token: person.token,
        });
        assert.equal(status, 204);
        await service.worker.drain();
        assert.deepEqual(await listTitles(person), titles);
      }
    });
  });
}
