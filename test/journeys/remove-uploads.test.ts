import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PATIENT_TABLES } from '../../server/identity/patients/delete-patient.sql.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { createSignedInBrowser } from '../harness/authorization.ts';
import { fetchAllPages, findLink, getEverything, listReferences, type Bundle } from '../harness/fhir.ts';
import {
  call,
  callTool,
  getOrganizationToken,
  getToolText,
  newTestPatient,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const condition = (id: string, text: string, more: object = {}): object => ({
  resourceType: 'Condition',
  id,
  code: { text },
  onsetDateTime: '2020-02-03',
  ...more,
});
const doctor = (text: string): object => ({ resourceType: 'Practitioner', id: 'doctor', name: [{ text }] });
const visit = {
  resourceType: 'Encounter',
  id: 'visit',
  status: 'finished',
  class: { code: 'AMB' },
  type: [{ text: 'Check-up' }],
  period: { start: '2020-02-03' },
  participant: [{ individual: { reference: 'Practitioner/doctor' } }],
};
const LETTER = Buffer.from('<html><body><p>Dear colleague, thank you for the referral.</p></body></html>');
const OTHER_LETTER = Buffer.from('<html><body><p>Lives in Ghent and keeps zebras.</p></body></html>');

/** What stays, and what is taken out: new, changed, the same again, and what the first one refers to. */
const KEPT = {
  'kept.json': createBundle(condition('same', 'Asthma'), condition('changed', 'Gout, before'), visit),
  'letter.html': LETTER,
};
const WRONG = {
  'wrong.json': createBundle(
    condition('same', 'Asthma'),
    condition('changed', 'Gout, after'),
    condition('added', 'Scurvy', { encounter: { reference: 'Encounter/visit' } }),
    doctor('Dr. Zanzibar'),
  ),
  'letter.html': LETTER,
  'other.html': OTHER_LETTER,
};

const TOOLS: readonly (readonly [string, object])[] = [
  ['get_health_summary', {}],
  ['get_conditions', { years: 100 }],
  ['get_visits', { years: 100 }],
  ['search_clinical_notes', { query: 'referral' }],
  ['search', { query: 'condition asthma referral ghent check-up' }],
];

for (const engine of JOURNEY_ENGINES) {
  describe(`an upload that is taken out: ${engine}`, () => {
    let service: TestService;
    let admin: string;
    before(async () => {
      service = await startTestService({ engine });
      admin = await getOrganizationToken(service);
    });
    after(() => service.stop());

    const send = async (patient: TestPatient, contents: Record<string, unknown>): Promise<string> =>
      (await upload(service, patient, await createArchive(contents))).batchId as string;

    const remove = (
      { id, token }: Pick<TestPatient, 'id' | 'token'>,
      batchId: string,
    ): Promise<HttpResponse> =>
      call(service, `/v1/patients/${id}/upload-documents/${batchId}`, { method: 'DELETE', token });

    async function settle({ id }: TestPatient): Promise<void> {
      for (;;) {
        const [job] = await service.store.db.query(
          sql`select 1 from job where kind = 'relabel' and payload ->> 'patientId' = ${id} limit 1`,
        );
        if (!job) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }

    /** What the tools say, without what differs between two patients. */
    async function read(patient: TestPatient): Promise<string> {
      let text = '';
      for (const [name, input] of TOOLS) text += getToolText(await callTool(service, patient, name, input));
      return text
        .replaceAll(/\b20\d\d-\d\d-\d\dT[\d:.]+Z?|Test \w+/g, '…')
        .replaceAll(/\/[0-9a-f]{8}\b/g, '…');
    }

    async function listBodies(patient: TestPatient): Promise<string[]> {
      const rows = await service.store.db.query(sql<{ body: string }>`
        select body from resource where patient_id = ${patient.id} and fhir_id !~ '^[0-9a-f]{8}-' order by resource_type, fhir_id`);
      return rows.map(({ body }) => body);
    }

    it('leaves a record as it would be had it never come', async () => {
      const [one, other] = [await newTestPatient(service), await newTestPatient(service)];
      await send(one, KEPT);
      await send(other, KEPT);
      const wrong = await send(one, WRONG);
      assert.match(await read(one), /Scurvy/);
      assert.match(await read(one), /Gout, after/);
      assert.equal((await remove(one, wrong)).status, 204);
      const meanwhile = await read(one);
      assert.doesNotMatch(meanwhile, /Scurvy|zebras|Zanzibar|Gout, after/i);
      await settle(one);
      assert.equal(await read(one), await read(other));
      assert.deepEqual(await listBodies(one), await listBodies(other));
    });

    it('and stays in no table', async () => {
      const patient = await newTestPatient(service);
      const kept = await send(patient, KEPT);
      const wrong = await send(patient, WRONG);
      await remove(patient, wrong);
      await settle(patient);
      assert.equal((await remove(patient, kept)).status, 204);
      await settle(patient);
      for (const table of PATIENT_TABLES) {
        const rows = await service.store.db.query({
          text: `select t::text as row from ${table} t where patient_id = $1`,
          values: [patient.id],
        });
        const text = JSON.stringify(rows);
        assert.doesNotMatch(text, /Scurvy|Asthma|Gout|zebra|letter|other\.html/i, table);
        if (!/^(patient|enrollment|consent|record_head|conversion_time)/.test(table))
          assert.deepEqual(rows, [], table);
      }
      const { body } = await call(service, `/v1/patients/${patient.id}/upload-documents`, {
        token: patient.token,
      });
      assert.deepEqual(body.results, []);
    });

    it('leaves what a later upload brought too, when the earlier one is taken out', async () => {
      const patient = await newTestPatient(service);
      const first = await send(patient, KEPT);
      await send(patient, WRONG);
      assert.equal((await remove(patient, first)).status, 204);
      await settle(patient);
      const text = await read(patient);
      for (const words of [/Asthma/, /Gout, after/, /Scurvy/, /colleague/]) assert.match(text, words);
      assert.doesNotMatch(text, /Check-up/);
    });

    it('comes back when it is uploaded again', async () => {
      const patient = await newTestPatient(service);
      await send(patient, KEPT);
      const wrong = await send(patient, WRONG);
      const before = await read(patient);
      await remove(patient, wrong);
      await send(patient, WRONG);
      await settle(patient);
      assert.equal(await read(patient), before);
    });

    it('is announced to those who could read something of it, and audited', async () => {
      const patient = await newTestPatient(service);
      const batchId = await send(patient, KEPT);
      await remove(patient, batchId);
      const events = await service.store.db.query(sql<{ data: string }>`
        select data from webhook_event where patient_id = ${patient.id} and type = 'records.updated' order by event_id`);
      const data = events.map((event) => JSON.parse(event.data) as Record<string, unknown>);
      assert.deepEqual(
        data.map((each) => [each['batchId'], each['removed']]),
        [
          [batchId, undefined],
          [batchId, true],
        ],
      );
      const { body } = await call(
        service,
        `/v1/organizations/${service.organization.organizationId}/audit-events?action=upload.removed`,
        { token: admin },
      );
      assert.deepEqual(body.results[0].detail, { batchId });
    });

    it('ends a traversal that began before, and gives its bytes back', async () => {
      const patient = await newTestPatient(service);
      await send(patient, KEPT);
      const before = await service.store.db.query(sql<{ bytes: number }>`
        select sum(octet_length(bytes))::integer as bytes from blob_chunk where patient_id = ${patient.id}`);
      const wrong = await send(patient, WRONG);
      const reader = { id: patient.id, token: admin };
      const page = await getEverything(service, reader, '_count=2');
      await remove(patient, wrong);
      await settle(patient);
      const next = findLink(page.body as Bundle, 'next')?.slice(service.baseUrl.length) ?? '';
      assert.equal((await call(service, next, { token: admin })).status, 410);
      assert.ok(!listReferences(await fetchAllPages(service, reader)).includes('Condition/added'));
      const after = await service.store.db.query(sql<{ bytes: number }>`
        select sum(octet_length(bytes))::integer as bytes from blob_chunk where patient_id = ${patient.id}`);
      assert.deepEqual(after, before);
    });

    it('is taken out once, by its patient alone, by token or page', async () => {
      const [patient, stranger] = [await newTestPatient(service), await newTestPatient(service)];
      const [first, second] = [await send(patient, KEPT), await send(patient, WRONG)];
      assert.equal((await remove(stranger, first)).status, 404);
      assert.equal((await remove({ ...patient, token: stranger.token }, first)).status, 403);
      assert.equal((await remove({ ...patient, token: admin }, first)).status, 403);
      const answers = await Promise.all([remove(patient, first), remove(patient, first)]);
      // 404 for whoever finds it gone; two who take it out together both have.
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
      assert.ok(statuses[0] === 204 && [204, 404].includes(statuses[1] ?? 0), statuses.join());
      const logged = await service.store.db.query(sql`
        select from audit_entry where action = 'upload.removed' and detail ->> 'batchId' = ${first}`);
      assert.equal(logged.length, 1);
      const browser = await createSignedInBrowser(service, patient);
      const { status } = await browser.post('/account/uploads/remove', { batchId: second });
      assert.equal(status, 204);
      await settle(patient);
      assert.deepEqual(await listBodies(patient), []);
    });

    it('is not taken out while it waits to be read', async () => {
      const patient = await newTestPatient(service);
      const batchId = await send(patient, KEPT);
      await service.store.db.query(
        sql`update upload_batch set status = 'processing', completed_at = null where batch_id = ${batchId}`,
      );
      const { status, body } = await remove(patient, batchId);
      assert.deepEqual([status, body.code], [409, 'upload_unfinished']);
    });
  });
}
