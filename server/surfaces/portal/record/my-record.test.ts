import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ResourceScope } from '../../../../contract/data-categories.ts';
import type { RecordFact } from '../../../../contract/account/record-facts.ts';
import type { PatientSession } from '../../../../contract/audience.ts';
import type { Chart } from '../../../../test/harness/chart.ts';
import { createEmptyRecord, importBatch } from '../../../../test/harness/import-record.ts';
import { JOURNEY_ENGINES, openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { WITHHELD_RECORD } from '../../../../test/mcp/withheld-record.ts';
import { generateRecord } from '../../../../tools/synthetic-record/generate-record.ts';
import { TOOLS } from '../../mcp/tools/tools.ts';
import { countRecord, getFact, listFacts, searchRecord } from './my-record.ts';

const PATIENT = {
  resourceType: 'Patient',
  id: 'me',
  name: [{ given: ['Ada'], family: 'Nowak' }],
  birthDate: '1970-03-01',
  telecom: [{ system: 'phone', value: '+1 555 010 2030' }],
  address: [{ line: ['1 Main St'], city: 'Springfield', postalCode: '01101' }],
};

const createSession = ({ patientId }: Chart): PatientSession => ({
  kind: 'patient-session',
  patientId,
  testOrganizationId: null,
  person: {
    id: patientId,
    firstName: 'Ada',
    lastName: 'Nowak',
    email: 'ada@example.org',
    isTestPatient: false,
  },
  signedInAt: new Date(),
  seenAt: new Date(),
});

const blood = (id: string, day: string, more: object = {}) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [{ coding: [{ code: 'vital-signs' }] }],
  code: { coding: [{ system: 'http://loinc.org', code: '85354-9' }], text: 'Blood pressure' },
  effectiveDateTime: day,
  component: [
    {
      code: { coding: [{ system: 'http://loinc.org', code: '8480-6' }] },
      valueQuantity: { value: 144, unit: 'mm[Hg]' },
    },
    {
      code: { coding: [{ system: 'http://loinc.org', code: '8462-4' }] },
      valueQuantity: { value: 90, unit: 'mm[Hg]' },
    },
  ],
  ...more,
});

const condition = (id: string, day: string) => ({
  resourceType: 'Condition',
  id,
  clinicalStatus: { coding: [{ code: 'active' }] },
  code: { text: 'Asthma' },
  onsetDateTime: day,
});

/** Every fact of a category, and each time that one is recorded. */
async function readCategory(chart: Chart, category: ResourceScope, limit: number): Promise<RecordFact[]> {
  const facts: RecordFact[] = [];
  for (let offset = 0; ;) {
    const page = await listFacts(chart.deps, createSession(chart), { category, limit, offset });
    facts.push(...page.results);
    if (page.next === null) break;
    offset = Number(page.next);
  }
  return facts;
}

const readMembers = async (chart: Chart, facts: readonly RecordFact[]): Promise<RecordFact[]> => {
  const opened = await Promise.all(
    facts.filter(({ times }) => times > 1).map(({ id }) => getFact(chart.deps, createSession(chart), id)),
  );
  return opened.flatMap(({ recorded }) => recorded);
};

for (const engine of JOURNEY_ENGINES) {
  describe(`the patient's own record: ${engine}`, () => {
    let store: TestStore;
    before(async () => void (store = await openTestStore(engine)));
    after(() => store.remove());

    const createRecord = async (...resources: readonly object[]): Promise<Chart> => {
      const chart = await createEmptyRecord(store.db);
      await importBatch(
        store.db,
        chart,
        resources.map((each) => JSON.stringify(each)),
      );
      return chart;
    };

    it('shows the gravest of the records of an allergy', async () => {
      const allergy = (id: string, day: string, criticality: string) => ({
        resourceType: 'AllergyIntolerance',
        id,
        clinicalStatus: { coding: [{ code: 'active' }] },
        code: { text: 'Penicillin' },
        criticality,
        recordedDate: day,
      });
      const chart = await createRecord(
        allergy('grave', '2010-01-01', 'high'),
        allergy('mild', '2020-01-01', 'low'),
      );
      const facts = await readCategory(chart, 'ALLERGIES', 10);
      assert.deepEqual(
        facts.map(({ times, reference }) => [times, reference]),
        [[2, 'AllergyIntolerance/grave']],
      );
    });

    it('says what another source states otherwise of an allergy, and nothing that both state', async () => {
      const allergy = (id: string, manifestation: string) =>
        JSON.stringify({
          resourceType: 'AllergyIntolerance',
          id,
          clinicalStatus: { coding: [{ code: 'active' }] },
          verificationStatus: { coding: [{ code: 'confirmed' }] },
          code: {
            coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '7980' }],
            text: 'Penicillin',
          },
          criticality: 'high',
          reaction: [{ manifestation: [{ text: manifestation }] }],
        });
      const chart = await createEmptyRecord(store.db);
      await importBatch(store.db, chart, [allergy('a', 'Hives')], { getPath: () => 'one.json' });
      await importBatch(store.db, chart, [allergy('b', 'Nausea')], { getPath: () => 'other.json' });
      const facts = await readCategory(chart, 'ALLERGIES', 10);
      const opened = await Promise.all(
        facts.map(async ({ id }) => (await getFact(chart.deps, createSession(chart), id)).fact),
      );
      assert.deepEqual(
        opened.map(({ details, elsewhere }) => [
          details.find(({ name }) => name === 'reactions')?.text,
          elsewhere.map((each) => [each.isSame, each.details]),
        ]),
        [['Nausea', [[false, [{ name: 'reactions', text: 'Hives' }]]]]],
      );
    });

    it('says of another source when what it states ended, where the two differ in that alone', async () => {
      const smoking = (id: string, end: string) =>
        JSON.stringify({
          resourceType: 'Observation',
          id,
          status: 'final',
          category: [{ coding: [{ code: 'social-history' }] }],
          code: { coding: [{ system: 'http://loinc.org', code: '72166-2' }], text: 'Tobacco smoking status' },
          effectivePeriod: { start: '2005-05-01', end },
          valueCodeableConcept: { text: 'Former smoker' },
        });
      const chart = await createEmptyRecord(store.db);
      await importBatch(store.db, chart, [smoking('a', '2009-02-27')], { getPath: () => 'one.json' });
      await importBatch(store.db, chart, [smoking('b', '2011-02-27')], { getPath: () => 'other.json' });
      const facts = await readCategory(chart, 'SOCIAL_HISTORY', 10);
      const opened = await Promise.all(
        facts.map(async ({ id }) => (await getFact(chart.deps, createSession(chart), id)).fact),
      );
      assert.deepEqual(
        opened.map(({ end, elsewhere }) => [end, elsewhere.map((each) => [each.isSame, each.end])]),
        [['2011-02-27', [[false, '2009-02-27']]]],
      );
    });

    it('says of a drug in force that a later record stops it, and of a course that is over not that it is active', async () => {
      const order = (id: string, name: string, more: object) => ({
        resourceType: 'MedicationRequest',
        id,
        status: 'active',
        intent: 'order',
        medicationCodeableConcept: { text: name },
        ...more,
      });
      const reason = { text: 'Severe bradycardia' };
      const repeat = { boundsPeriod: { end: '2025-02-11' } };
      const chart = await createRecord(
        order('m1', 'Metoprolol', { authoredOn: '2024-01-01' }),
        order('m2', 'Metoprolol', { authoredOn: '2026-06-01', status: 'stopped', statusReason: reason }),
        order('a', 'Amoxicillin', { authoredOn: '2025-02-01', dosageInstruction: [{ timing: { repeat } }] }),
        order('r', 'Ramipril', { authoredOn: '2025-02-01' }),
      );
      const facts = await readCategory(chart, 'MEDICATIONS', 10);
      const endedBy = { status: 'stopped', day: '2026-06-01', reason: 'Severe bradycardia' };
      const show = (id: string) => facts.find(({ reference }) => reference.endsWith(`/${id}`));
      assert.deepEqual([show('m1')?.status, show('m1')?.endedBy], ['active', endedBy]);
      assert.deepEqual(show('m2')?.details, [{ name: 'statusReason', text: 'Severe bradycardia' }]);
      assert.deepEqual([show('a')?.status, show('a')?.end], [null, '2025-02-11']);
      assert.deepEqual([show('r')?.status, show('r')?.endedBy], ['active', null]);
    });

    it('shows of a drug what is taken now, and what follows; and of one that has not begun from which day on', async () => {
      const next = `${new Date().getFullYear() + 1}-12-15`;
      const order = (id: string, name: string, { start, text }: { start: string; text: string }) => ({
        resourceType: 'MedicationRequest',
        id,
        status: 'active',
        intent: 'order',
        medicationCodeableConcept: { text: name },
        authoredOn: start === next ? '2025-06-01' : start,
        dosageInstruction: [{ text, timing: { repeat: { boundsPeriod: { start } } } }],
      });
      const chart = await createRecord(
        order('w1', 'Warfarin', { start: '2025-01-10', text: '5 mg daily' }),
        order('w2', 'Warfarin', { start: next, text: '5 mg daily' }),
        order('m1', 'Metformin', { start: '2025-01-10', text: '1 tab daily' }),
        order('m2', 'Metformin', { start: next, text: '2 tab twice daily' }),
        order('d', 'Denosumab', { start: next, text: 'twice a year' }),
      );
      const isRight = (facts: readonly RecordFact[]) =>
        assert.deepEqual(
          Object.fromEntries(
            facts.map((fact) => [fact.reference.split('/')[1], [fact.status, fact.begins, fact.next]]),
          ),
          {
            w1: ['active', null, { day: next, dosage: null }],
            m1: ['active', null, { day: next, dosage: '2 tab twice daily' }],
            d: [null, next, null],
          },
        );
      isRight(await readCategory(chart, 'MEDICATIONS', 10));
      isRight((await searchRecord(chart.deps, createSession(chart), 'my medications')).results);
    });

    it('says of a statement that there is none not that it is active', async () => {
      const chart = await createRecord({
        resourceType: 'AllergyIntolerance',
        id: 'n',
        clinicalStatus: { coding: [{ code: 'active' }] },
        code: { text: 'Not on File' },
      });
      const [none] = await readCategory(chart, 'ALLERGIES', 10);
      assert.deepEqual([none?.title, none?.status], ['Not on File', null]);
    });

    it('shows every entry that a tool names, and as many facts of each category as it counts', async () => {
      const chart = await createRecord(...WITHHELD_RECORD, PATIENT);
      const texts = [...generateRecord({ seed: 7, years: 2, endsOn: '2026-11-01' })].map((each) =>
        JSON.stringify(each),
      );
      await importBatch(store.db, chart, texts);
      const { categories, total } = await countRecord(chart.deps, createSession(chart));
      const shown = new Set<string>();
      for (const { category, facts: count } of categories) {
        const facts = await readCategory(chart, category, 40);
        const person = await listFacts(chart.deps, createSession(chart), { category, limit: 1, offset: 0 });
        assert.equal(facts.length + person.person.length, count, category);
        for (const fact of [...facts, ...(await readMembers(chart, facts))]) {
          assert.equal(fact.category, category);
          for (const { reference } of [fact, ...fact.elsewhere]) shown.add(reference);
        }
      }
      assert.ok(total > 30);
      const named = new Set<string>();
      for (const { name, inputSchema } of TOOLS) {
        if (['get_details', 'search', 'search_clinical_notes'].includes(name)) continue;
        const text = await chart.callTool(name, 'years' in inputSchema.properties ? { years: 150 } : {});
        for (const [reference] of text.matchAll(/\b[A-Z][a-z]+[A-Za-z]*\/[A-Za-z0-9.-]*[A-Za-z0-9]/g))
          named.add(reference);
      }
      const isShown = (reference: string) => [...shown].some((each) => each.startsWith(reference));
      assert.ok(named.size > 30, `${named.size} are named`);
      assert.deepEqual(
        [...named].filter((reference) => !isShown(reference)),
        [],
      );
    });

    it('shows what is recorded often once, the newest first, and each time of it when it is opened', async () => {
      const chart = await createRecord(
        condition('c1', '2019-05-01'),
        condition('c2', '2021-06'),
        condition('c3', '2020'),
        { ...condition('c4', '2024-01-02'), code: { text: 'Broken leg' } },
      );
      const [leg, asthma, ...others] = await readCategory(chart, 'DIAGNOSES', 1);
      assert.deepEqual([leg?.title, asthma?.title, others], ['Broken leg', 'Asthma', []]);
      assert.deepEqual(
        [asthma?.times, asthma?.firstDay, asthma?.lastDay, asthma?.status],
        [3, '2019-05-01', '2021-06', 'active'],
      );
      const { recorded } = await getFact(chart.deps, createSession(chart), asthma?.id ?? '');
      assert.deepEqual(
        recorded.map(({ day }) => day),
        ['2021-06', '2020', '2019-05-01'],
      );
    });

    it('shows what is refuted as that, apart from what is so, and a drug that is only proposed as proposed', async () => {
      const refuted = { verificationStatus: { coding: [{ code: 'refuted' }] } };
      const chart = await createRecord(
        condition('c1', '2019-05-01'),
        { ...condition('c2', '2021-06'), ...refuted },
        {
          resourceType: 'MedicationRequest',
          id: 'm1',
          status: 'active',
          intent: 'proposal',
          medicationCodeableConcept: { text: 'Warfarin' },
        },
      );
      const show = ({ title, status, times }: RecordFact) => [title, status, times];
      const found = await searchRecord(chart.deps, createSession(chart), 'asthma');
      for (const facts of [await readCategory(chart, 'DIAGNOSES', 9), found.results])
        assert.deepEqual(
          new Set(facts.map((fact) => show(fact).join(' '))),
          new Set(['Asthma active 1', 'Asthma refuted 1']),
        );
      assert.deepEqual((await readCategory(chart, 'MEDICATIONS', 9)).map(show), [
        ['Warfarin', 'proposal', 1],
      ]);
    });

    it('writes both blood pressures as one, in units that people know', async () => {
      const chart = await createRecord(blood('b', '2024-02-03T08:15:00Z'));
      const [fact] = await readCategory(chart, 'CLINICAL_VITALS', 10);
      assert.deepEqual(fact?.measurements, [{ name: null, text: '144/90 mmHg', range: null, flag: null }]);
    });

    it('joins the halves of a pressure that came apart, and counts them once', async () => {
      const half = (id: string, code: string, value: number, more: object = {}) => ({
        ...blood(id, '2026-10-02T08:00:00Z'),
        code: {
          coding: [{ system: 'http://loinc.org', code }],
          text: code === '8480-6' ? 'Systolic BP' : 'Diastolic BP',
        },
        component: undefined,
        valueQuantity: { value, unit: 'mmHg' },
        ...more,
      });
      const standing = { bodySite: { text: 'Left arm' }, method: { text: 'Standing' } };
      const chart = await createRecord(
        half('s1', '8480-6', 188),
        half('d1', '8462-4', 110),
        half('s2', '8480-6', 150, standing),
        half('d2', '8462-4', 90, standing),
        half('s3', '8480-6', 140, { effectiveDateTime: '2026-10-01T08:00:00Z' }),
      );
      const facts = await readCategory(chart, 'CLINICAL_VITALS', 2);
      assert.deepEqual(
        facts.map(({ title, times, measurements }) => [title, times, measurements.map(({ text }) => text)]),
        [
          ['BP', 1, ['150/90 mmHg']],
          ['BP', 1, ['188/110 mmHg']],
          ['Systolic BP', 1, ['140 mmHg']],
        ],
      );
      const { categories } = await countRecord(chart.deps, createSession(chart));
      assert.equal(categories.find(({ category }) => category === 'CLINICAL_VITALS')?.facts, 3);
    });

    it('keeps pressures of one moment apart of which nobody knows the other half', async () => {
      const half = (id: string, code: string, value: number) => ({
        ...blood(id, '2026-10-02T08:00:00Z'),
        code: {
          coding: [{ system: 'http://loinc.org', code }],
          text: code === '8480-6' ? 'Systolic' : 'Diastolic',
        },
        component: undefined,
        valueQuantity: { value, unit: 'mmHg' },
      });
      const chart = await createRecord(
        half('s1', '8480-6', 188),
        half('s2', '8480-6', 170),
        half('d1', '8462-4', 110),
      );
      const [fact, ...others] = await readCategory(chart, 'CLINICAL_VITALS', 10);
      assert.deepEqual(others, []);
      assert.deepEqual(
        fact?.measurements.map(({ name, text }) => `${name} ${text}`),
        ['Diastolic 110 mmHg', 'Systolic 188 mmHg', 'Systolic 170 mmHg'],
      );
    });

    it('shows the last answer that says something, and what came later', async () => {
      const smoking = (id: string, day: string, more: object) => ({
        resourceType: 'Observation',
        id,
        status: 'final',
        category: [{ coding: [{ code: 'social-history' }] }],
        code: { coding: [{ system: 'http://loinc.org', code: '72166-2' }], text: 'Smoking' },
        effectiveDateTime: day,
        ...more,
      });
      const chart = await createRecord(
        smoking('s1', '2025-01-01', { valueCodeableConcept: { text: 'Heavy smoker' } }),
        smoking('s2', '2026-01-01', { dataAbsentReason: { text: 'Not asked' } }),
      );
      const listed = await readCategory(chart, 'SOCIAL_HISTORY', 10);
      const { results } = await searchRecord(chart.deps, createSession(chart), 'do I smoke');
      for (const [fact, ...others] of [listed, results]) {
        assert.deepEqual(others, []);
        assert.deepEqual(
          [fact?.measurements[0]?.text, fact?.day, fact?.times, fact?.laterWithoutValue],
          ['Heavy smoker', '2025-01-01', 2, { day: '2026-01-01', reason: 'Not asked' }],
        );
      }
    });

    it('shows the left eye and the right one apart, in lists and when they are opened', async () => {
      const eye = (id: string, day: string, side: string) => ({
        ...condition(id, day),
        code: { text: 'Glaucoma' },
        bodySite: [{ text: side }],
      });
      const chart = await createRecord(
        eye('l', '2020-01-01', 'Left eye'),
        eye('r1', '2021-01-01', 'Right eye'),
        eye('r2', '2022-01-01', 'right eye'),
      );
      const listed = await readCategory(chart, 'DIAGNOSES', 10);
      const { results } = await searchRecord(chart.deps, createSession(chart), 'glaucoma');
      for (const facts of [listed, results])
        assert.deepEqual(
          new Set(facts.map(({ day, times }) => `${day} ${times}`)),
          new Set(['2020-01-01 1', '2022-01-01 2']),
        );
      assert.deepEqual(
        (await readMembers(chart, listed)).map(({ reference }) => reference),
        ['Condition/r2', 'Condition/r1'],
      );
    });

    it('reads what a Patient resource says of the person by its two categories', async () => {
      const chart = await createRecord(PATIENT);
      const read = async (category: ResourceScope) =>
        (await listFacts(chart.deps, createSession(chart), { category, limit: 10, offset: 0 })).person;
      assert.deepEqual(await read('DEMOGRAPHICS'), [
        { name: 'name', text: 'Ada Nowak' },
        { name: 'birthDate', text: '1970-03-01' },
      ]);
      assert.deepEqual(await read('CONTACT_INFO'), [
        { name: 'address', text: '1 Main St, 01101 Springfield' },
        { name: 'phone', text: '+1 555 010 2030' },
      ]);
    });

    it('is searched with nothing left out, though the consent in force leaves something out', async () => {
      const chart = await createRecord(condition('c1', '2019-05-01'), condition('c2', '2021-06'));
      const { results, readAs } = await searchRecord(chart.deps, createSession(chart), 'astma');
      assert.deepEqual(
        results.map(({ title, times }) => [title, times]),
        [['Asthma', 2]],
      );
      assert.deepEqual(readAs, [{ phrase: 'astma', names: ['asthma'], spanishNames: ['asma'] }]);
      assert.deepEqual((await searchRecord(chart.deps, createSession(chart), '  ')).results, []);
    });

    it('shows of the results of one test the newest with its day, and each of them when it is opened', async () => {
      const lab = (id: string, value: number, day: string) => ({
        resourceType: 'Observation',
        id,
        status: 'final',
        category: [{ coding: [{ code: 'laboratory' }] }],
        code: { coding: [{ system: 'http://loinc.org', code: '13457-7' }], text: 'LDL cholesterol' },
        effectiveDateTime: day,
        valueQuantity: { value, unit: 'mg/dL' },
      });
      const chart = await createRecord(
        lab('l1', 170, '2022-01-31'),
        lab('l2', 128, '2023-03-05'),
        lab('l3', 75, '2025-07-13'),
      );
      const { results } = await searchRecord(chart.deps, createSession(chart), 'LDL');
      const [found] = results;
      assert.deepEqual(
        [results.length, found?.measurements[0]?.text, found?.day, found?.times],
        [1, '75 mg/dL', '2025-07-13', 3],
      );
      const { recorded } = await getFact(chart.deps, createSession(chart), found?.id ?? '');
      assert.deepEqual(
        recorded.map(({ day, measurements }) => `${day} ${measurements[0]?.text}`),
        ['2025-07-13 75 mg/dL', '2023-03-05 128 mg/dL', '2022-01-31 170 mg/dL'],
      );
    });

    it('finds the notes of two visits apart, though their words are alike', async () => {
      const note = (id: string, day: string, dose: number) => ({
        resourceType: 'DocumentReference',
        id,
        status: 'current',
        type: { text: 'Progress note' },
        date: `${day}T10:00:00Z`,
        content: [
          {
            attachment: {
              contentType: 'text/plain',
              data: Buffer.from(
                `The patient comes for asthma. Lungs are clear today, and the inhaler is used ${dose} times a week.`,
              ).toString('base64'),
            },
          },
        ],
      });
      const chart = await createRecord(note('n1', '2024-01-05', 2), note('n2', '2025-02-06', 7));
      const { results } = await searchRecord(chart.deps, createSession(chart), 'asthma inhaler');
      assert.deepEqual(
        new Set(results.map(({ day, times }) => `${day?.slice(0, 10)} ${times}`)),
        new Set(['2024-01-05 1', '2025-02-06 1']),
      );
    });

    it('says nothing of the record of somebody else, whatever id is asked for', async () => {
      const chart = await createRecord(condition('c1', '2019-05-01'));
      const [fact] = await readCategory(chart, 'DIAGNOSES', 10);
      const stranger = await createEmptyRecord(store.db);
      await assert.rejects(getFact(stranger.deps, createSession(stranger), fact?.id ?? ''), { status: 404 });
      const { total } = await countRecord(stranger.deps, createSession(stranger));
      assert.equal(total, 0);
    });
  });
}
