import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BatchId, PatientId } from '../../contract/brands.ts';
import { failBatch } from '../../server/clinical/ingest/batches/upload-job.ts';
import { importResources } from '../../server/clinical/ingest/import/import.ts';
import { rebuildEntries } from '../../server/clinical/ingest/import/rebuild-entries.ts';
import { parseResource } from '../../server/clinical/store/parse-resource.ts';
import { endLabeling } from '../../server/clinical/store/required-labels.sql.ts';
import { one, type Db, type Tx } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { recordConsentWithout } from '../harness/consent-record.ts';
import { nameSpoolFile } from '../harness/import-record.ts';
import {
  callTool,
  getToolText,
  newTestPatient,
  startTestService,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { ENGINES } from '../harness/store.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

const NOTE = 'The patient slept badly. Her sister Ottilie came along and asked for help.';
const attachment = { contentType: 'text/plain', data: btoa(NOTE) };
const subject = { reference: 'Patient/p' };
const day = '2026-03-01';

/** Whose labels are their own, beside those whose labels are known when others are, and what names them. */
const RECORD: readonly object[] = [
  { resourceType: 'Patient', id: 'p', birthDate: '1970-04-01' },
  {
    resourceType: 'AllergyIntolerance',
    id: 'a',
    clinicalStatus: { coding: [{ code: 'active' }] },
    code: { text: 'Penicillin' },
    patient: subject,
  },
  {
    resourceType: 'Condition',
    id: 'c',
    subject,
    clinicalStatus: { coding: [{ code: 'active' }] },
    code: {
      coding: [
        {
          system: 'http://hl7.org/fhir/sid/icd-10-cm',
          code: 'F33.1',
          display: 'Recurrent Zyxomelancholia',
        },
      ],
    },
  },
  {
    resourceType: 'Encounter',
    id: 'e',
    status: 'finished',
    class: { code: 'AMB' },
    subject,
    type: [{ text: 'Office visit' }],
    period: { start: day },
    diagnosis: [{ condition: { reference: 'Condition/c', display: 'Recurrent Zyxomelancholia' } }],
    reasonReference: [{ reference: 'Condition/later' }],
  },
  {
    resourceType: 'MedicationRequest',
    id: 'm',
    status: 'active',
    intent: 'order',
    subject,
    authoredOn: day,
    medicationCodeableConcept: { text: 'Vitamin D' },
    reasonReference: [{ reference: 'Condition/c', display: 'Recurrent Zyxomelancholia' }],
  },
  {
    resourceType: 'DocumentReference',
    id: 'd',
    status: 'current',
    subject,
    date: `${day}T10:00:00Z`,
    content: [{ attachment }],
  },
  {
    resourceType: 'DiagnosticReport',
    id: 'r',
    status: 'final',
    subject,
    effectiveDateTime: day,
    code: { text: 'Consultation' },
    meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'PSY' }] },
    presentedForm: [attachment],
  },
];
const SECRETS = /Zyxomelancholia|F33|Ottilie|slept badly|Quobsessive/;

const CHANGED = [
  {
    resourceType: 'AllergyIntolerance',
    id: 'a',
    clinicalStatus: { coding: [{ code: 'active' }] },
    code: { text: 'Penicillin' },
    criticality: 'high',
    patient: subject,
  },
  {
    resourceType: 'Condition',
    id: 'later',
    subject,
    code: {
      coding: [
        {
          system: 'http://hl7.org/fhir/sid/icd-10-cm',
          code: 'F42',
          display: 'Quobsessive disorder',
        },
      ],
    },
  },
];

const QUESTIONS: readonly [tool: string, input: object][] = [
  ['get_health_summary', {}],
  ['get_visits', {}],
  ['get_other_records', {}],
  ['search', { query: 'Zyxomelancholia slept badly' }],
  ['search_clinical_notes', { query: 'slept' }],
  [
    'get_details',
    {
      references: [
        'DocumentReference/d',
        'DiagnosticReport/r',
        'Condition/c',
        'Encounter/e',
        'MedicationRequest/m',
      ],
    },
  ],
];

for (const engine of ENGINES) {
  describe(`case 400: a record that is labeled on ${engine}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ engine, environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });
    });
    after(() => service.stop());

    const newPatient = async (): Promise<TestPatient> => {
      const patient = await newTestPatient(service);
      await recordConsentWithout(service, patient, 'MENTAL_HEALTH');
      return patient;
    };

    /** The answers to all questions, of which none holds what the consent leaves out. */
    async function ask(patient: TestPatient): Promise<string> {
      const answers: string[] = [];
      for (const [tool, input] of QUESTIONS) {
        const text = getToolText(await callTool(service, patient, tool, input));
        // The words of a question are in its title, and quoted where nothing is found.
        const found = text.replace(/^# Search.*/, '').replaceAll(/“[^”]*”/g, '');
        assert.doesNotMatch(found, SECRETS, `${tool} ${JSON.stringify(input)}: ${text}`);
        answers.push(text);
      }
      return answers.join('\n');
    }

    /** A store after each of whose transactions somebody looks. */
    const watch = (look: () => Promise<void>): Db => ({
      ...service.store.db,
      async tx<T>(work: (tx: Tx) => Promise<T>) {
        const result = await service.store.db.tx(work);
        await look();
        return result;
      },
    });

    const buildDeps = (db: Db) => ({
      db,
      clock: service.clock,
      getVocabulary,
      extractText: async () => null,
    });

    async function write({ id }: TestPatient, resources: readonly object[], db: Db): Promise<BatchId> {
      const batchId = generateId<BatchId>();
      await importResources(
        buildDeps(db),
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

    const rebuild = ({ id }: TestPatient, db: Db): Promise<void> =>
      rebuildEntries(buildDeps(db), { patientId: id as PatientId, batchId: null });

    /** Looks at each step, and that what the consent covers anyway stays to be seen. */
    function createLook(patient: TestPatient, isLabeled: boolean) {
      let looks = 0;
      return {
        count: () => looks,
        async look(): Promise<void> {
          looks++;
          const answers = await ask(patient);
          if (isLabeled) assert.match(answers, /Vitamin D/);
        },
      };
    }

    it('shows nothing on the way that a consent leaves out, of a first upload, a later one and a second reading', async () => {
      const patient = await newPatient();
      const first = createLook(patient, false);
      await write(patient, RECORD, watch(first.look));
      assert.ok(first.count() > 4, String(first.count()));
      await end(patient);
      const settled = await ask(patient);
      for (const name of ['Penicillin', 'Vitamin D', 'Office visit']) assert.match(settled, new RegExp(name));
      const again = createLook(patient, true);
      await rebuild(patient, watch(again.look));
      assert.equal(await ask(patient), settled);
      await write(patient, CHANGED, watch(again.look));
      assert.ok(again.count() > 8, String(again.count()));
      await end(patient);
      await ask(patient);
    });

    it('shows nothing of what was left in the middle, nor when it is taken up again', async () => {
      const patient = await newPatient();
      await write(patient, RECORD, service.store.db);
      await end(patient);
      const settled = await ask(patient);
      for (const steps of [1, 3, 5]) {
        let left = steps;
        const stop = async (): Promise<void> => {
          if (left-- === 0) throw new Error('killed');
        };
        await rebuild(patient, watch(stop)).catch((error: Error) => assert.equal(error.message, 'killed'));
        const { look } = createLook(patient, true);
        await look();
        await rebuild(patient, steps === 5 ? watch(look) : service.store.db);
        assert.equal(await ask(patient), settled);
      }
    });

    it('is labeled by a job after an upload that failed in the middle', async () => {
      const patient = await newPatient();
      const { db } = service.store;
      const patientId = patient.id as PatientId;
      let steps = 4;
      const stop = async (): Promise<void> => {
        if (steps-- === 0) throw new Error('killed');
      };
      const batchId = generateId<BatchId>();
      await db.query(sql`
        insert into upload_batch (patient_id, batch_id, status, received_at, position)
        values (${patientId}, ${batchId}, 'processing', now(), 1)`);
      await assert.rejects(write(patient, RECORD, watch(stop)), /killed/);
      await failBatch({ db, clock: service.clock, emitUpdate: async () => {} }, { patientId, batchId });
      await ask(patient);
      await service.worker.drain();
      const answers = await ask(patient);
      for (const name of ['Penicillin', 'Vitamin D', 'Office visit']) assert.match(answers, new RegExp(name));
    });

    it('shows nothing of an upload that is half written when all of the record is read anew', async () => {
      const patient = await newPatient();
      const { db } = service.store;
      const patientId = patient.id as PatientId;
      await write(patient, [RECORD[0]!, RECORD[1]!], db);
      await end(patient);
      await db.query(sql`
        insert into upload_batch (patient_id, batch_id, status, received_at, position)
        values (${patientId}, ${generateId()}, 'queued', now(), 1)`);
      // What names others, before those whose labels it shares are there.
      const half = RECORD.filter((each) => !['c', 'r'].includes((each as { id: string }).id));
      const stop = async (): Promise<void> => {
        const { count } = await one(
          db,
          sql<{ count: number }>`select count(*) from resource where patient_id = ${patientId}`,
        );
        if (count === half.length) throw new Error('killed');
      };
      await assert.rejects(write(patient, half, watch(stop)), /killed/);
      await rebuild(patient, db);
      await ask(patient);
      await write(patient, RECORD, db);
      await end(patient);
      assert.match(await ask(patient), /Vitamin D/);
    });

    it('is labeled by the run that began last', async () => {
      const patient = await newPatient();
      await write(patient, RECORD, service.store.db);
      await end(patient);
      let isFirst = true;
      const overtake = async (): Promise<void> => {
        if (!isFirst) return;
        isFirst = false;
        await rebuild(patient, service.store.db);
      };
      await assert.rejects(rebuild(patient, watch(overtake)), { name: 'LabelingOvertaken' });
      await ask(patient);
    });
  });
}
