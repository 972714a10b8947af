import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keepAnswer, purgeKeptAnswers } from '../../server/clinical/store/kept-answers.ts';
import type { DataMask, PatientId } from '../../contract/brands.ts';
import { labelBit } from '../../server/consent/access/sensitivity-labels.ts';
import { sql, type Sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  call,
  callTool,
  decide,
  getToolText,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const allergy = (id: string, name: string): object => ({
  resourceType: 'AllergyIntolerance',
  id,
  recordedDate: '2026-01-05',
  clinicalStatus: { coding: [{ code: 'active' }] },
  code: { text: name },
});

/** Stands in the place of a kept text, so that it shows where that was read. */
const MARK = 'the kept text';

const TOOLS = ['get_health_summary', 'get_allergies'];

for (const engine of JOURNEY_ENGINES)
  describe(`a kept answer (${engine})`, () => {
    let service: TestService;
    let patient: TestPatient;
    let batchId: string;
    before(async () => void (service = await startTestService({ engine })));
    after(() => service.stop());
    before(async () => {
      patient = await newTestPatient(service);
      await upload(service, patient, await createArchive({ 'a.json': createBundle(allergy('1', 'Peanut')) }));
      const second = await createArchive({ 'b.json': createBundle(allergy('2', 'Latex')) });
      ({ batchId } = await upload(service, patient, second));
    });

    const read = async (name: string, input = {}): Promise<string> =>
      getToolText(await callTool(service, patient, name, input));
    const remove = (batch: string) =>
      call(service, `/v1/patients/${patient.id}/upload-documents/${batch}`, {
        method: 'DELETE',
        token: patient.token,
      });
    const run = (statement: Sql) => service.store.db.query(statement);
    const mark = () => run(sql`update kept_answer set text = ${MARK} where patient_id = ${patient.id}`);
    const listKept = () =>
      run(sql`select tool, withheld, text from kept_answer where patient_id = ${patient.id} order by tool`);
    /** Reads all tools anew, and puts the mark in place of what was kept. */
    async function readAndMark(): Promise<string[]> {
      await run(sql`delete from kept_answer where patient_id = ${patient.id}`);
      const texts = [];
      for (const name of TOOLS) texts.push(await read(name));
      await mark();
      return texts;
    }

    it('is the answer, for a call without arguments alone, and is audited as the first was', async () => {
      const [first] = await readAndMark();
      assert.match(first ?? '', /Peanut/);
      assert.equal((await listKept()).length, TOOLS.length);
      for (const name of TOOLS) assert.equal(await read(name), MARK);
      assert.match(await read('get_allergies', { years: 2 }), /Peanut/);
      const { body } = await callTool(service, patient, 'get_allergies', []);
      assert.equal(body.error.code, -32602);
      const entries = await run(sql`
        select detail::text, consent_record_id from audit_entry
        where patient_id = ${patient.id} and detail ->> 'tool' = 'get_health_summary' order by entry_id`);
      assert.equal(entries.length, 2);
      assert.deepEqual(entries[1], entries[0]);
    });

    it('says from then on that an upload was read in part, until that upload is taken out', async () => {
      await readAndMark();
      const broken = { 'c.json': '{"resourceType":', 'd.json': createBundle(allergy('2', 'Latex')) };
      const { batchId: broughtInPart } = await upload(service, patient, await createArchive(broken));
      const partly =
        /^1 upload \(\d{4}-\d\d-\d\d\) could be read only in part; .*`update_and_check_recent_records`/m;
      for (const name of TOOLS) assert.match(await read(name), partly);
      assert.match(await read('search', { query: 'latex' }), partly);
      assert.match(await read('get_details', { references: ['AllergyIntolerance/1'] }), partly);
      const state = await read('update_and_check_recent_records');
      assert.match(state, /read, in part .* 1 place: The JSON is not well-formed or is cut off\./);
      assert.doesNotMatch(state, /only in part/);
      // The line is a part of what is kept.
      assert.equal((await listKept()).length, TOOLS.length);
      await mark();
      for (const name of TOOLS) assert.equal(await read(name), MARK);
      const { status } = await remove(broughtInPart);
      assert.equal(status, 204);
      for (const name of TOOLS) assert.doesNotMatch(await read(name), partly);
    });

    it('does not say so of an upload of which nothing was lost', async () => {
      const other = await newTestPatient(service);
      const send = async (...resources: object[]): Promise<string> =>
        (await upload(service, other, await createArchive({ 'e.json': createBundle(...resources) }))).status;
      const version = (lastUpdated: string): object => ({
        ...allergy('2', 'Latex'),
        meta: { lastUpdated },
      });
      await send(version('2024-02-01T00:00:00Z'));
      const script = { status: 'generated', div: '<div><script>x</script>Peanut</div>' };
      // Both are noted: the older version, which the newer one stands for, and the words of the narrative.
      assert.equal(
        await send(version('2024-01-01T00:00:00Z'), { ...allergy('1', 'Peanut'), text: script }),
        'completed_with_errors',
      );
      const text = getToolText(await callTool(service, other, 'get_allergies', {}));
      assert.match(text, /Peanut/);
      assert.doesNotMatch(text, /only in part/);
    });

    it('is given to nobody whose consent is withdrawn, or withholds anything else', async () => {
      const [first] = await readAndMark();
      await decide(service, patient, 'OPTED_OUT');
      assert.equal((await callTool(service, patient, 'get_allergies')).status, 403);
      await decide(service, patient, 'OPTED_IN');
      assert.equal(await read('get_allergies'), MARK);
      const setWithheld = (mask: number): Promise<unknown> =>
        run(sql`update consent set withheld = ${mask} where patient_id = ${patient.id}`);
      const [own] = (await run(sql`select withheld from consent where patient_id = ${patient.id}`)) as {
        withheld: number;
      }[];
      await setWithheld((own?.withheld ?? 0) | labelBit('ALLERGIES'));
      for (const name of TOOLS) assert.doesNotMatch(await read(name), /Peanut|the kept text/);
      await setWithheld(own?.withheld ?? 0);
      assert.equal(await read('get_health_summary'), MARK);
      await run(sql`delete from kept_answer where patient_id = ${patient.id}`);
      assert.equal(await read('get_health_summary'), first);
    });

    it('is not read on another day, or by another build', async () => {
      for (const change of [sql`day = day - 1`, sql`build = 'other'`, sql`version = version - 1`]) {
        await readAndMark();
        await run(sql`update kept_answer set ${change} where patient_id = ${patient.id}`);
        for (const name of TOOLS) assert.match(await read(name), /Peanut/);
      }
      await run(
        sql`update kept_answer set day = day - 1 where patient_id = ${patient.id} and tool = 'get_allergies'`,
      );
      await purgeKeptAnswers({ db: service.store.db, clock: service.clock });
      assert.equal((await listKept()).length, TOOLS.length - 1);
    });

    it('is not kept of a record that has changed meanwhile, or was deleted', async () => {
      const { db } = service.store;
      const gone = await newTestPatient(service);
      const answer = { tool: 'get_visits', day: '2026-01-01', build: '', text: '', disclosure: {} };
      const keep = async (id: string, ahead: number): Promise<number> => {
        const [head] = await run(sql`select version from record_head where patient_id = ${id}`);
        const version = ((head as { version: number } | undefined)?.version ?? 0) + ahead;
        const basis = { version, withheld: 0 as DataMask };
        await keepAnswer(db, id as PatientId, { basis, answer });
        return (await run(sql`select 1 from kept_answer where patient_id = ${id} and tool = 'get_visits'`))
          .length;
      };
      assert.equal(await keep(patient.id, -1), 0);
      assert.equal(await keep(patient.id, 0), 1);
      assert.equal(await keep(gone.id, 0), 1);
      const admin = (await call(service, '/v1/auth/token', { json: service.organization.admin })).body
        .token as string;
      const path = `/v1/organizations/${service.organization.organizationId}/test-patients/${gone.id}`;
      assert.equal((await call(service, path, { method: 'DELETE', token: admin })).status, 204);
      assert.equal(await keep(gone.id, 0), 0);
    });

    it('is deleted when something is taken out of the record, and made anew of what is left', async () => {
      await readAndMark();
      const { id, token } = patient;
      const path = `/v1/patients/${id}/upload-documents/${batchId}`;
      assert.equal((await call(service, path, { method: 'DELETE', token })).status, 204);
      const kept = (await listKept()) as { text: string }[];
      assert.deepEqual(
        kept.filter(({ text }) => text === MARK),
        [],
      );
      for (const name of TOOLS) {
        const text = await read(name);
        assert.match(text, /Peanut/);
        assert.doesNotMatch(text, /Latex/);
      }
      await upload(service, patient, await createArchive({ 'c.json': createBundle(allergy('3', 'Pollen')) }));
      for (const name of TOOLS) assert.match(await read(name), /Pollen/);
    });
  });
