import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createChart, entry, type TestEntry } from '../../../test/harness/chart.ts';
import { openTestStore } from '../../../test/harness/store.ts';

const store = await openTestStore();
after(() => store.remove());

const note = (text: string): TestEntry => entry('note', 'Progress note', { detail: { text } });
const vaccine = (title: string): TestEntry => entry('immunization', title);

/** Of a record with one entry: which questions it answers, which it is near, and which it does not answer. */
const CASES: readonly {
  said: TestEntry;
  answers: readonly string[];
  near?: readonly string[];
  not: readonly string[];
}[] = [
  {
    said: note('Mother had breast cancer.'),
    answers: ['family history of breast cancer', 'family history of cancer'],
    not: ['breast cancer', 'cancer'],
  },
  {
    said: note('She is not diabetic. Father is diabetic.'),
    answers: ['no diabetes', 'family history of diabetes'],
    not: ['diabetes', 'is she diabetic'],
  },
  { said: note('She is not happy with her diabetes.'), answers: ['diabetes'], not: [] },
  {
    said: note('Pt w/ SOB; no CP. CP discussed.'),
    answers: ['denies chest pain', 'no CP'],
    not: ['chest pain', 'cerebral palsy'],
  },
  {
    said: entry('care_team', 'Care team', {
      detail: { type: 'CareTeam', text: 'Dr. X: Healthcare professional (occupation)' },
    }),
    answers: ['care team'],
    not: ['job', 'does he work', 'occupation'],
  },
  { said: note('Mother had a stroke.'), answers: ['family history of stroke'], not: ['stroke'] },
  {
    said: note('Patient denies chest pain.'),
    answers: ['no chest pain', 'denies chest pain', 'kein Brustschmerz', 'sin dolor torácico'],
    not: ['chest pain'],
  },
  { said: note('Chest pain since Monday.'), answers: ['chest pain', 'no chest pain'], not: [] },
  { said: note('No history of stroke.'), answers: ['no stroke'], not: ['stroke', 'history of stroke'] },
  {
    said: note('Allergic to shellfish per wife.'),
    answers: ['shellfish allergy', 'allergies', 'what am I allergic to'],
    not: ['family history of allergies'],
  },
  {
    said: vaccine('Influenza'),
    answers: ['flu shot', 'influenza', 'influenza gout'],
    near: ['have I had influenza'],
    not: ['fever', 'no influenza'],
  },
  { said: vaccine('Tetanus'), answers: ['tetanus shot'], not: ['polio vaccine'] },
  {
    said: vaccine('Hepatitis B'),
    answers: ['hepatitis b vaccine'],
    near: ['do I have hepatitis b'],
    not: [],
  },
  { said: vaccine('Pneumococcal'), answers: ['pneumonia vaccine'], near: ['pneumonia'], not: [] },
];

describe('what is said, of whom, and whether it is so', () => {
  it('ranks what states a thing before what denies it', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      entry('note', 'Later note', {
        dayText: '2024-02-02',
        detail: { text: 'Diabetes was discussed: she is not diabetic, father is diabetic. Diabetes: no.' },
      }),
      entry('note', 'Earlier note', { dayText: '2024-01-01', detail: { text: 'PMH: HTN, DM2, CKD3.' } }),
      entry('allergy', 'Penicillin', { dayText: '2024-02-02', detail: { verification: 'refuted' } }),
      entry('allergy', 'Amoxicillin', { dayText: '2020-02-02' }),
    );
    for (const [query, first, second] of [
      ['diabetes', 'Earlier note', 'Later note'],
      ['is she diabetic', 'Earlier note', 'Later note'],
      ['allergies', 'Amoxicillin', 'Penicillin'],
    ] as const) {
      const text = await chart.callTool('search', { query });
      assert.ok(text.indexOf(`| ${first} |`) < text.indexOf(`| ${second} |`), text);
    }
  });

  for (const { said, answers, near = [], not } of CASES) {
    const text = said.kind === 'note' ? said.detail.text : said.title;
    it(`“${text}” answers ${answers.join(', ')} and nothing else`, async () => {
      const chart = await createChart(store.db);
      await chart.add(said);
      for (const [queries, pattern] of [
        [answers, /\n1 result$/],
        [
          near,
          /\nNo entry is of “[^”]+” itself; what is recorded is vaccination against it, and does not say/,
        ],
        [not, /\nNothing found/],
      ] as const)
        for (const query of queries) assert.match(await chart.callTool('search', { query }), pattern, query);
    });
  }
});
