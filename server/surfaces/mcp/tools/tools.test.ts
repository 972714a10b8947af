import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { createChart, entry, measure, type Chart } from '../../../../test/harness/chart.ts';
import { compileVocabulary } from '../../../clinical/concepts/vocabulary.ts';
import { TOOLS } from './tools.ts';
import { openTestStore } from '../../../../test/harness/store.ts';
import { toLabelMask } from '../../../consent/access/sensitivity-labels.ts';
import { sql } from '../../../platform/db/sql.ts';

/** Answers are compared to the letter, and a vocabulary grows. */
const NO_CONCEPTS = compileVocabulary([]);

const store = await openTestStore();
after(() => store.remove());

/** A small record with entries of every kind. */
async function ada(): Promise<Chart> {
  const patient = await createChart(store.db, () => NO_CONCEPTS);
  await store.db.query(sql`
    insert into record_head (patient_id, next_seq, total, last_synchronized_at)
    values (${patient.patientId}, 100, 34, '2026-11-19T08:30:00Z')`);
  await store.db.query(sql`
    insert into upload_batch (patient_id, batch_id, position, status, received_at, documents_total, documents_processed,
      documents_rejected, resources_created, resources_updated, resources_unchanged)
    values (${patient.patientId}, '0199aaaa-0000-7000-8000-000000000001', 1, 'completed_with_errors', '2026-11-19T08:29:00Z', 3, 2, 1, 34, 0, 2)`);
  await patient.add(...conditions, ...medications, ...labs, ...vitals, ...others);
  return patient;
}

const active = { clinicalStatus: 'active', verification: 'confirmed' };
const conditions = [
  entry('condition', 'Essential hypertension', {
    dayText: '2011-04-02',
    current: true,
    detail: { ...active, severity: 'moderate' },
  }),
  entry('condition', 'Type 2 diabetes mellitus', {
    dayText: '2025-02',
    current: true,
    detail: { ...active, note: 'Diet first.' },
  }),
  entry('condition', 'Suspected sleep apnea', {
    current: true,
    detail: { ...active, verification: 'provisional' },
  }),
  entry('condition', 'Acute bronchitis', {
    dayText: '2024-01-10',
    endText: '2024-01-24',
    detail: { clinicalStatus: 'resolved' },
  }),
  entry('condition', 'Back pain', { dayText: '2024-06-01' }),
  entry('condition', 'Full-time employment (finding)', {
    dayText: '2024-06-01',
    category: 'SOCIAL_HISTORY',
    detail: { clinicalStatus: 'resolved', social: true },
  }),
  entry('condition', 'Full-time employment (finding)', {
    dayText: '2025-06-01',
    category: 'SOCIAL_HISTORY',
    detail: { clinicalStatus: 'resolved', social: true },
  }),
];

const metformin = {
  dosage: '1 tablet twice daily with meals',
  reason: 'Type 2 diabetes mellitus',
  prescriber: 'Dr. Kim',
};
const medications = [
  entry('medication', 'Metformin 500 mg tablet', {
    dayText: '2025-02-20',
    status: 'stopped',
    detail: { ...metformin, dosage: '1 tablet daily' },
  }),
  entry('medication', 'Metformin 500 mg tablet', {
    dayText: '2026-02-18',
    status: 'active',
    current: true,
    detail: metformin,
  }),
  entry('medication', 'Lisinopril 10 mg tablet', {
    dayText: '2019-03-04',
    status: 'active',
    current: true,
    detail: { dosage: '1 tablet daily' },
  }),
  entry('medication', 'Amoxicillin 500 mg capsule', {
    dayText: '2024-01-10',
    endText: '2024-01-17',
    status: 'completed',
    detail: { dosage: '3 times a day for 7 days' },
  }),
  entry('medication', 'Ondansetron 4 mg', {
    dayText: '2025-09-01',
    status: 'completed',
    detail: {
      resource: 'MedicationAdministration',
      intent: null,
      prescriber: 'Nurse Lane',
      performer: 'Nurse Lane',
    },
  }),
];

const lab = (title: string, value: string, rest: object) =>
  entry('lab', title, {
    dayText: '2026-02-18',
    organization: 'Hilltop Labs',
    detail: { value, unit: 'mg/dL', ...rest },
  });
const labs = [
  lab('Glucose', '142', { referenceRange: '70 to 99 mg/dL', interpretation: 'High' }),
  lab('Creatinine', '0.90', { referenceRange: '0.6 to 1.2 mg/dL' }),
  lab('SARS-CoV-2 RNA', 'Not detected', { unit: null }),
  entry('lab', 'Urinalysis', {
    dayText: '2025-02-20',
    organization: null,
    documentPath: 'upload/letters/urine.xml',
    detail: {
      components: [
        measure('pH', '6.0', null),
        { ...measure('Protein', '<10', 'mg/dL'), referenceRange: '< 20 mg/dL' },
      ],
    },
  }),
  entry('lab', 'Hemoglobin A1c', { dayText: '2025-02-20', detail: { absent: 'specimen lost' } }),
];

const pressure = (day: string, systolic: string, diastolic: string) =>
  entry('vital', 'Blood pressure', {
    dayText: day,
    time: '09:15',
    detail: {
      vital: 'Blood Pressure',
      components: [
        measure('Systolic blood pressure', systolic, 'mm[Hg]'),
        measure('Diastolic blood pressure', diastolic, 'mm[Hg]'),
      ],
    },
  });
const vitals = [
  pressure('2026-02-18', '128', '82'),
  pressure('2025-02-20', '136', '88'),
  entry('vital', 'Body weight', {
    dayText: '2026-02-18',
    detail: { vital: 'Weight', value: '81.40', unit: 'kg' },
  }),
  entry('vital', 'Pain severity', { dayText: '2025-02-20', detail: { value: '2', unit: '{score}' } }),
];

const others = [
  entry('allergy', 'Penicillin', {
    dayText: '1999',
    current: true,
    detail: {
      type: 'allergy',
      categories: ['medication'],
      criticality: 'high',
      reactions: ['Hives (moderate)', 'Wheezing'],
    },
  }),
  entry('allergy', 'Latex', { current: true, detail: { clinicalStatus: null, verification: 'unconfirmed' } }),
  entry('allergy', 'No known food allergies', {
    dayText: '2019-05-01',
    current: true,
    detail: { none: true },
  }),
  entry('procedure', 'Colonoscopy', {
    dayText: '2024-05-06',
    detail: { performer: 'Dr. Ortiz', reason: 'Screening' },
  }),
  entry('procedure', 'Physical therapy', { dayText: '2024-07-01', detail: { bodySite: 'Lower back' } }),
  entry('procedure', 'Physical therapy', { dayText: '2024-07-08', detail: { bodySite: 'Lower back' } }),
  entry('procedure', 'MRI of the spine', {
    dayText: '2024-08-01',
    status: 'not-done',
    detail: { notDoneReason: 'Patient declined' },
  }),
  entry('immunization', 'Influenza, seasonal', {
    dayText: '2025-10-02',
    detail: { lot: 'A113', dose: '0.5 mL' },
  }),
  entry('immunization', 'Zoster, recombinant', {
    dayText: '2025-10-02',
    status: 'not-done',
    detail: { notDone: true, notDoneReason: 'Patient objection' },
  }),
  entry('visit', 'Follow-up visit', {
    dayText: '2026-02-18',
    time: '09:00',
    reference: 'Encounter/v1',
    detail: { reason: 'Type 2 diabetes mellitus', practitioner: 'Dr. Kim', location: 'Room 4' },
  }),
  entry('visit', 'Hospital stay', {
    dayText: '2024-08-01',
    endText: '2024-08-03',
    reference: 'Encounter/v2',
    organization: 'City Hospital',
    detail: { class: 'inpatient encounter' },
  }),
  entry('note', 'Progress note', {
    dayText: '2026-02-18',
    visit: 'Encounter/v1',
    detail: {
      author: 'Dr. Kim',
      text: '# Subjective\nNo chest pain. Tolerates metformin well.\n\n# Plan\nContinue metformin, repeat A1c in three months.',
    },
  }),
  entry('care_plan', 'Care plan: Diabetes self management', {
    dayText: '2025-02-20',
    status: 'active',
    detail: { type: 'CarePlan', text: 'Diabetic diet; exercise therapy' },
  }),
];

const patient = await ada();

async function reads(tool: string, input: unknown, expected: string): Promise<void> {
  assert.equal(await patient.callTool(tool, input), expected);
}

describe('the answers of the tools', () => {
  it('get_health_summary shows one page of the whole record', () =>
    reads(
      'get_health_summary',
      undefined,
      `# Health summary

34 entries, 32 of them dated (1999 to 2026-02-18); last synchronized 2026-11-19.

## Conditions

Active (3):

| Condition | Since | Details | Reference |
|---|---|---|---|
| Type 2 diabetes mellitus | 2025-02 | Diet first. | Condition/2 |
| Essential hypertension | 2011-04-02† | moderate | Condition/1 |
| Suspected sleep apnea | no date | provisional | Condition/3 |

† Not noted since, for over 10 years: in force according to the record; it may go on, or nobody closed it.

What was treated, and how often; no status recorded (1):

| Condition | When | Reference |
|---|---|---|
| Back pain | 2024-06-01 | Condition/5 |

Resolved or inactive (1), the most frequent first:

| Condition | When | Status | Reference |
|---|---|---|---|
| Acute bronchitis | 2024-01-10 to 2024-01-24 | resolved | Condition/4 |

Also recorded: 1 social circumstance (work, schooling, housing), see \`get_conditions\`.

## Medications

Current (2):

| Medication | Ordered | Dosage | Reason | Reference |
|---|---|---|---|---|
| Metformin 500 mg tablet | 2026-02-18; past: 1 order, 2025-02-20 | 1 tablet twice daily with meals | Type 2 diabetes mellitus | MedicationRequest/9 (2) |
| Lisinopril 10 mg tablet | 2019-03-04 | 1 tablet daily |  | MedicationRequest/10 |

No longer current, or of unknown status (1), the newest:

| Medication | Ordered | Dosage | Status | Reference |
|---|---|---|---|---|
| Amoxicillin 500 mg capsule | 2024-01-10 to 2024-01-17 | 3 times a day for 7 days | completed | MedicationRequest/11 |

Also recorded: 1 given, see \`get_medications\`.

## Allergies

| Allergy | Onset or recorded | Reaction | Criticality | Kind | Status | Reference |
|---|---|---|---|---|---|---|
| Penicillin | 1999 | Hives (moderate); Wheezing | high | allergy, medication |  | AllergyIntolerance/22 |
| Latex | no date |  |  |  | status not recorded, unconfirmed | AllergyIntolerance/23 |

| Statement | Reference |
|---|---|
| No known food allergies (stated 2019-05-01) | AllergyIntolerance/24 |

## Latest vital signs

| Vital sign | Latest | Date | Before | Reference |
|---|---|---|---|---|
| Blood Pressure | 128/82 mm[Hg] | 2026-02-18 09:15 | 136/88 (2025-02-20) | Observation/18 |
| Weight | 81.40 kg | 2026-02-18 |  | Observation/20 |

## Also in this record

- 5 laboratory results, 2025-02-20 to 2026-02-18: \`get_labs\`
- 3 procedures performed, 1 not done, 2024-05-06 to 2024-08-01: \`get_procedures\`
- 1 immunization given, 1 not given, 2025-10-02: \`get_immunizations\`
- 2 visits, 2024-08-01 to 2026-02-18: \`get_visits\`
- 1 clinical note, 2026-02-18: \`search_clinical_notes\`
- 1 care plan: \`get_other_records\`
- everything by words: \`search\`

Source: Riverside Clinic`,
    ));

  it('search shows matches of every kind, however they are spelled', () =>
    reads(
      'search',
      { query: 'metformn diabetes' },
      `# Search: metformn diabetes · Read as: metformn → metformin

| Type | Title | Date | Content | Similar | Reference |
|---|---|---|---|---|---|
| Medication | Metformin 500 mg tablet | 2026-02-18 | active; 1 tablet twice daily with meals; Type 2 diabetes mellitus; Dr. Kim | and 1 more, 2025 to 2026 | MedicationRequest/9 |
| Condition | Type 2 diabetes mellitus | 2025-02 | active; Diet first. |  | Condition/2 |
| Note | Progress note | 2026-02-18 | Subjective: No chest pain. Tolerates metformin well. |  | DocumentReference/33 |
| Care plan | Care plan: Diabetes self management | 2025-02-20 | active; Diabetic diet; exercise therapy |  | CarePlan/34 |
| Visit | Follow-up visit | 2026-02-18 | ambulatory; Type 2 diabetes mellitus; Room 4; Dr. Kim |  | Encounter/v1 |

All of it: get_medications {"years": 100}; get_conditions {"years": 100}

Source: Riverside Clinic

5 results`,
    ));

  it('get_conditions separates active, past and unknown conditions, and social ones', () =>
    reads(
      'get_conditions',
      {},
      `# Conditions

## Active (3)

| Condition | Since | Details | Reference |
|---|---|---|---|
| Type 2 diabetes mellitus | 2025-02 | Diet first. | Condition/2 |
| Essential hypertension | 2011-04-02‡† | moderate | Condition/1 |
| Suspected sleep apnea | no date | provisional | Condition/3 |

‡ Began before this window.

† Not noted since, for over 10 years: in force according to the record; it may go on, or nobody closed it.

## Resolved or inactive (1)

| Condition | When | Reference |
|---|---|---|
| Acute bronchitis | 2024-01-10 to 2024-01-24 | Condition/4 |

## Status not recorded (1)

| Condition | When | Reference |
|---|---|---|
| Back pain | 2024-06-01 | Condition/5 |

## Social circumstances (2)

| Circumstance | Status | When | Reference |
|---|---|---|---|
| Full-time employment | resolved | 2 records, 2024-06-01 to 2025-06-01 | Condition/7 (2) |

Source: Riverside Clinic

hasMoreData: false | dateRange: 2023-11-20 to 2026-11-20`,
    ));

  it('get_medications groups the orders of a drug', () =>
    reads(
      'get_medications',
      {},
      `# Medications

## Current (2)

| Medication | Ordered | Dosage | Reason | By | Reference |
|---|---|---|---|---|---|
| Metformin 500 mg tablet | 2026-02-18; past: 1 order, 2025-02-20 | 1 tablet twice daily with meals | Type 2 diabetes mellitus | Dr. Kim | MedicationRequest/9 (2) |
| Lisinopril 10 mg tablet | 2019-03-04‡ | 1 tablet daily |  |  | MedicationRequest/10 |

‡ Began before this window.

## Past (1)

| Medication | When | Dosage | Status | Reference |
|---|---|---|---|---|
| Amoxicillin 500 mg capsule | 2024-01-10 to 2024-01-17 | 3 times a day for 7 days | completed | MedicationRequest/11 |

## Given (1)

| Medication | When | Status | By | Reference |
|---|---|---|---|---|
| Ondansetron 4 mg | 2025-09-01 | completed | Nurse Lane | MedicationRequest/12 |

Source: Riverside Clinic

hasMoreData: false | dateRange: 2023-11-20 to 2026-11-20`,
    ));

  it('get_labs lists results by panel and test with range, flag and the reason for a missing value', () =>
    reads(
      'get_labs',
      {},
      `# Laboratory results

## Urinalysis

| Date | pH | Protein (mg/dL; < 20) | Reference |
|---|---|---|---|
| 2025-02-20 | 6.0 | <10 | Observation/16 |

Source: urine.xml

## Other results

| Date | Glucose (mg/dL; 70 to 99) | Creatinine (mg/dL; 0.6 to 1.2) | SARS-CoV-2 RNA | Hemoglobin A1c | Source | Reference |
|---|---|---|---|---|---|---|
| 2026-02-18 | 142 (High) | 0.90 | Not detected |  | A | Observation/15 (3) |
| 2025-02-20 |  |  |  | no value: specimen lost | B | Observation/17 |

Sources: A = Hilltop Labs; B = Riverside Clinic

hasMoreData: false | dateRange: 2023-11-20 to 2026-11-20`,
    ));

  it('get_vitals shows a moment in one row, and other measurements apart', () =>
    reads(
      'get_vitals',
      {},
      `# Vital signs

| Date | Blood Pressure (mm[Hg]) | Weight (kg) | Reference |
|---|---|---|---|
| 2026-02-18 09:15 | 128/82 |  | Observation/18 |
| 2026-02-18 |  | 81.40 | Observation/20 |
| 2025-02-20 | 136/88 |  | Observation/19 |

## Other measurements

| Date | Pain severity ({score}) | Reference |
|---|---|---|
| 2025-02-20 | 2 | Observation/21 |

Source: Riverside Clinic

hasMoreData: false | dateRange: 2023-11-20 to 2026-11-20`,
    ));

  it('get_vitals shows only the requested vital signs', () =>
    reads(
      'get_vitals',
      { vitals: ['Weight'] },
      `# Vital signs

| Date | Weight (kg) | Reference |
|---|---|---|
| 2026-02-18 | 81.40 | Observation/20 |

Source: Riverside Clinic

hasMoreData: false | dateRange: 2023-11-20 to 2026-11-20`,
    ));

  it('get_allergies separates allergies from statements that there are none', () =>
    reads(
      'get_allergies',
      {},
      `# Allergies and intolerances

## In force (2)

| Allergy | Onset or recorded | Reaction | Criticality | Kind | Status | Reference |
|---|---|---|---|---|---|---|
| Penicillin | 1999‡ | Hives (moderate); Wheezing | high | allergy, medication |  | AllergyIntolerance/22 |
| Latex | no date |  |  |  | status not recorded, unconfirmed | AllergyIntolerance/23 |

## Statements

| Statement | Reference |
|---|---|
| No known food allergies (stated 2019-05-01) | AllergyIntolerance/24 |

‡ Began before this window.

Source: Riverside Clinic

hasMoreData: false | dateRange: 2023-11-20 to 2026-11-20`,
    ));

  it('get_procedures groups repeated procedures and lists those not done apart', () =>
    reads(
      'get_procedures',
      {},
      `# Procedures

## Performed (3)

| Procedure | When | Body site | Reason | By | Reference |
|---|---|---|---|---|---|
| Physical therapy | 2 times, 2024-07-01 to 2024-07-08 | Lower back |  |  | Procedure/27 (2) |
| Colonoscopy | 2024-05-06 |  | Screening | Dr. Ortiz | Procedure/25 |

## Not done (1)

| Procedure | When | Reason | Reference |
|---|---|---|---|
| MRI of the spine | 2024-08-01 | Patient declined | Procedure/28 |

Source: Riverside Clinic

hasMoreData: false | dateRange: 2023-11-20 to 2026-11-20`,
    ));

  it('get_procedures says of a procedure without a status that none is recorded', async () => {
    const patient = await createChart(store.db);
    await patient.add(
      entry('procedure', 'Kidney biopsy', { dayText: '2026-08-08', status: null }),
      entry('procedure', 'Suture', { dayText: '2026-08-07' }),
    );
    const text = await patient.callTool('get_procedures');
    assert.match(text, /\| Procedure \| When \| Status \|/);
    assert.match(text, /\| Kidney biopsy \| 2026-08-08 \| status not recorded \|/);
    assert.match(text, /\| Suture \| 2026-08-07 \|  \|/);
  });

  it('get_immunizations never shows a vaccination that was not given as given', () =>
    reads(
      'get_immunizations',
      {},
      `# Immunizations

## Given (1)

| Date | Vaccine | Dose | Lot | Reference |
|---|---|---|---|---|
| 2025-10-02 | Influenza, seasonal | 0.5 mL | A113 | Immunization/29 |

## Not given (1)

| Date | Vaccine | Why not | Reference |
|---|---|---|---|
| 2025-10-02 | Zoster, recombinant | Patient objection | Immunization/30 |

Source: Riverside Clinic

hasMoreData: false | dateRange: 2023-11-20 to 2026-11-20`,
    ));

  it('get_visits names the id under which a visit’s notes are read', () =>
    reads(
      'get_visits',
      {},
      `# Visits

| Date | Visit | Class | Reason | Place | Seen by | Source | Reference |
|---|---|---|---|---|---|---|---|
| 2026-02-18 | Follow-up visit | ambulatory | Type 2 diabetes mellitus | Room 4 | Dr. Kim | A | Encounter/v1 |
| 2024-08-01 to 2024-08-03 | Hospital stay | inpatient encounter |  |  |  | B | Encounter/v2 |

\`search_clinical_notes\` with a row's Encounter reference as \`encounterId\` reads the notes of that visit.

Sources: A = Riverside Clinic; B = City Hospital

hasMoreData: false | dateRange: 2023-11-20 to 2026-11-20`,
    ));

  it('search_clinical_notes shows the passages of matching notes and counts them', () =>
    reads(
      'search_clinical_notes',
      { query: 'metformin' },
      `# Notes with: metformin

## 2026-02-18 · Progress note

- Subjective: No chest pain. Tolerates metformin well.
- Plan: Continue metformin, repeat A1c in three months.

Dr. Kim · Encounter/v1 · Riverside Clinic · DocumentReference/33

1 matching note

hasMoreData: false | dateRange: 2023-11-20 to 2026-11-20`,
    ));

  it('search_clinical_notes shows a visit’s notes in full', () =>
    reads(
      'search_clinical_notes',
      { encounterId: 'v1' },
      `# Notes of a visit

Follow-up visit, 2026-02-18 · Riverside Clinic · Encounter/v1

## Progress note

2026-02-18 · Dr. Kim · Riverside Clinic · DocumentReference/33

\`\`\`text
# Subjective
No chest pain. Tolerates metformin well.

# Plan
Continue metformin, repeat A1c in three months.
\`\`\`

1 note`,
    ));

  it('update_and_check_recent_records shows the state of the record and where to update it', () =>
    reads(
      'update_and_check_recent_records',
      {},
      `# State of the record

Last synchronization: 2026-11-19 08:30 UTC. The record holds 34 resources.

## Connected sources

This organization has connected no source for the project.

## Newest uploads and fetches

| Received | Brought by | State | Documents | Resources | Batch |
|---|---|---|---|---|---|
| 2026-11-19 08:29 UTC | an upload | read, in part | 3 documents, 1 not readable | 34 new, 2 known already | 0199aaaa-0000-7000-8000-000000000001 |

## Update the record

The patient adds or updates records here: https://chart.example/consent/#/my-data`,
    ));

  it('update_and_check_recent_records lists each connected source with its state, and none of other projects', async () => {
    const { db } = store;
    const patient = await ada();
    const { projectId, patientId } = patient.access;
    const [organizationId, ...sources] = Array.from({ length: 4 }, () => randomUUID());
    await db.query(sql`
      insert into organization (organization_id, name, created_at) values (${organizationId}, ${organizationId}, now())`);
    await db.query(sql`
      insert into project (project_id, organization_id, name, created_at) values (${projectId}, ${organizationId}, 'Study', now())`);
    for (const [n, name] of ['Clinic | *East*', 'Hospital', 'Elsewhere'].entries())
      await db.query(sql`
        insert into record_source (organization_id, source_id, name, base_url, status, authentication, matching, project_ids, created_at, changed_at)
        values (${organizationId}, ${sources[n]}, ${name}, 'https://ehr.example', ${n === 1 ? 'paused' : 'active'}, 'none', '{}',
          ${n === 2 ? [randomUUID()] : null}::uuid[], now(), now())`);
    await db.query(sql`
      insert into source_sync (patient_id, source_id, organization_id, state, code, requested_at, synchronized_at)
      values (${patientId}, ${sources[0]}, ${organizationId}, 'failed', 'unreachable', now(), '2026-11-18T07:00:00Z')`);
    const text = await patient.callTool('update_and_check_recent_records');
    assert.ok(
      text.includes(`## Connected sources

| Source | State | Last synchronization |
|---|---|---|
| Clinic \\| \\*East\\* | could not be read | 2026-11-18 07:00 UTC |
| Hospital | paused | never |

## Newest uploads and fetches`),
      text,
    );
  });

  it('update_and_check_recent_records lists what was read in part, however much came since, and says why where everything is shared', async () => {
    const { db } = store;
    const patient = await createChart(db);
    const { patientId } = patient.access;
    const [first, ...others] = Array.from({ length: 7 }, () => randomUUID());
    const insertBatch = (batchId: string | undefined, position: number, unread: number) =>
      db.query(sql`
        insert into upload_batch (patient_id, batch_id, status, received_at, position, unread_places, documents_total, documents_processed)
        values (${patientId}, ${batchId}, ${unread > 0 ? 'completed_with_errors' : 'completed'},
          ${new Date(Date.UTC(2026, 10, position))}, ${position}, ${unread}, 1, 1)`);
    await insertBatch(first, 1, 1);
    await db.query(sql`
      insert into upload_rejection (patient_id, batch_id, ordinal, path, code, message)
      values (${patientId}, ${first}, 0, 'Methadone program.pdf', 'encrypted', 'The file needs a password.')`);
    for (const [index, batchId] of others.entries()) await insertBatch(batchId, index + 2, 0);
    const read = () => patient.callTool('update_and_check_recent_records');

    const all = await read();
    assert.match(all, new RegExp(`read, in part .* 1 place: The file needs a password\\. \\| ${first}`));
    assert.ok(!all.includes(String(others[0])) && all.includes(String(others[1])), 'five others');
    await db.query(
      sql`update consent set withheld = ${toLabelMask(['MENTAL_HEALTH'])} where patient_id = ${patientId}`,
    );
    const part = await read();
    assert.match(part, new RegExp(`read, in part \\| ${first}`));
    assert.doesNotMatch(part, /password|Methadone/);
    assert.match(part, /What was not read, and why, is said to the patient alone/);
    assert.match(await patient.callTool('get_allergies'), /The patient alone is told why/);
  });

  it('update_and_check_recent_records says that servers of another organization failed without naming them', async () => {
    const { db } = store;
    const patient = await createChart(db);
    const { patientId } = patient.access;
    const [organizationId, sourceId] = [randomUUID(), randomUUID()];
    await db.query(sql`
      insert into organization (organization_id, name, created_at) values (${organizationId}, ${organizationId}, now())`);
    await db.query(sql`
      insert into record_source (organization_id, source_id, name, base_url, status, authentication, matching, created_at, changed_at)
      values (${organizationId}, ${sourceId}, 'Hidden Clinic', 'https://ehr.example', 'active', 'none', '{}', now(), now())`);
    await db.query(sql`
      insert into source_sync (patient_id, source_id, organization_id, state, code, requested_at)
      values (${patientId}, ${sourceId}, ${organizationId}, 'failed', 'unreachable', now())`);
    await db.query(sql`
      insert into upload_batch (patient_id, batch_id, source_id, status, received_at, position, unread_places)
      values (${patientId}, ${randomUUID()}, ${sourceId}, 'completed_with_errors', '2026-11-18T08:46:00Z', 1, 1),
        (${patientId}, ${randomUUID()}, ${sourceId}, 'queued', '2026-11-20T08:46:00Z', 2, null)`);
    const text = await patient.callTool('update_and_check_recent_records');
    assert.ok(!text.includes('Hidden Clinic'), text);
    assert.match(
      text,
      /^What a connected server sent is still being read \(since 08:46 UTC\); a server that is connected elsewhere could not be fetched the last time; this may be incomplete\.$/m,
    );
    assert.match(text, /This organization has connected no source for the project\./);
    assert.match(text, /\| 2026-11-20 08:46 UTC \| a connected server \| waiting to be read \|/);
    assert.doesNotMatch(text, /upload \(|\d uploads?/);
    assert.match(
      await patient.callTool('get_allergies'),
      /^What a connected server sent \(2026-11-18\) could not be read completely; the rest is missing here\./m,
    );
    // What is fetched after that is everything.
    await db.query(
      sql`update upload_batch set status = 'completed' where patient_id = ${patientId} and status = 'queued'`,
    );
    assert.doesNotMatch(await patient.callTool('get_allergies'), /completely/);
  });
});

describe('an upload that is still being read', () => {
  it('is mentioned in one line by every tool', async () => {
    const patient = await createChart(store.db, () => NO_CONCEPTS);
    await patient.add(entry('visit', 'Check-up', { dayText: '2025-01-01', reference: 'Encounter/v1' }));
    await store.db.query(sql`
      insert into upload_batch (patient_id, batch_id, status, received_at, position)
      values (${patient.patientId}, ${randomUUID()}, 'queued', '2026-11-20T08:46:00Z', 1)`);
    const inputs = new Map<string, object>([
      ['search', { query: 'check' }],
      ['search_clinical_notes', { encounterId: 'v1' }],
      ['get_details', { references: ['Encounter/v1'] }],
    ]);
    for (const { name } of TOOLS)
      assert.equal(
        (await patient.callTool(name, inputs.get(name) ?? {})).match(
          /^1 upload is still being read \(since 08:46 UTC\); this may be incomplete\.$/gm,
        )?.length,
        1,
        name,
      );
    assert.match(
      await patient.callTool('search_clinical_notes', { query: 'check' }),
      /1 upload is still being read/,
    );
  });
});

describe('an empty record', () => {
  it('is explained, with the next step', async () => {
    const empty = await createChart(store.db);
    assert.equal(
      await empty.callTool('get_health_summary'),
      '# Health summary\n\nThis record is still empty: no documents have been read yet. `update_and_check_recent_records` shows whether uploads are in progress, and where the patient can add documents.',
    );
    assert.match(
      await empty.callTool('update_and_check_recent_records'),
      /Last synchronization: never\. Nothing has been added to this record yet\.[^]*None yet\.[^]*#\/my-data$/,
    );
  });

  it('is not stated for a record with other entries: each section says that nothing is recorded', async () => {
    const sparse = await createChart(store.db);
    await sparse.add(entry('visit', 'Check-up', { dayText: '2025-01-01' }));
    const text = await sparse.callTool('get_health_summary');
    assert.equal(text.match(/None recorded\./g)?.length, 4);
  });
});
