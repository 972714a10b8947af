import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createChart, entry } from '../../../test/harness/chart.ts';
import { openTestStore } from '../../../test/harness/store.ts';
import { sql } from '../../platform/db/sql.ts';
import { toRequiredMask } from '../../consent/access/sensitivity-labels.ts';
import { search } from '../../surfaces/mcp/tools/search.ts';

const store = await openTestStore();
after(() => store.remove());

/** What a record calls an allergy, and questions for it. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  Shrimp: [
    'am I allergic to shrimp',
    'shrimp allergy',
    'can I eat shrimp',
    '¿puedo comer camarones?',
    'mariscos',
    'any food allergies?',
  ],
  Peanut: ['¿puedo comer maní?', 'soy alérgico al cacahuete', 'cacahuate'],
  Penicillin: [
    'puedo tomar amoxicilina',
    'can I take amoxicillin',
    'can she still take penicillin',
    'darf ich Amoxicillin nehmen',
  ],
  'Iodinated contrast': ['alérgico a contraste', 'soy alérgico al yodo'],
  'Egg white': ['huevos', 'Eiallergie'],
  Milk: ['leche'],
  Latex: ['látex', 'soy alérgico a los guantes'],
  Soy: ['am I allergic to soy'],
  // The vocabulary does not know it.
  'Guar gum': ['am I allergic to guar gum', 'guar gum allergy'],
  Camarones: ['shrimp allergy'],
  NUTS: ['Nüsse', 'Erdnuss', 'bin ich gegen Nüsse allergisch'],
  Crab: ['Krabben', 'darf ich Krabben essen', 'kann ich Garnelen essen'],
  Egg: ['Eier', 'darf ich Eier essen'],
  'Cat dander': ['Katzenhaare', 'bin ich gegen Katzen allergisch'],
};

/** Of the rows of an answer. */
const readTitles = (text: string): string[] =>
  [...text.matchAll(/^\| Allergy \| ([^|]+?) \|/gm)].map((match) => match[1] ?? '');

describe('search for an allergy', () => {
  for (const [title, queries] of Object.entries(RECORDED))
    it(`finds “${title}” by ${queries.join(', ')}`, async () => {
      const chart = await createChart(store.db);
      await chart.add(entry('allergy', title, { current: true }), entry('condition', 'Asthma'));
      for (const query of queries) {
        const text = await chart.callTool('search', { query });
        assert.deepEqual(readTitles(text), [title], `${query}: ${text}`);
        assert.doesNotMatch(text, /Without a result/, query);
      }
    });

  it('finds what is called as it is asked for beside what is only of its kind', async () => {
    const chart = await createChart(store.db);
    await chart.add(entry('allergy', 'Shellfish', { current: true }), entry('allergy', 'Shrimp'));
    const text = await chart.callTool('search', { query: 'am I allergic to shrimp' });
    assert.deepEqual(readTitles(text).sort(), ['Shellfish', 'Shrimp'], text);
  });

  it('names the allergies in force where it finds none, in its answer and in the log', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      entry('allergy', 'Penicillin', {
        current: true,
        detail: { criticality: 'high', reactions: ['Anaphylaxis'] },
      }),
      entry('allergy', 'Codeine', { detail: { clinicalStatus: 'resolved' } }),
      entry('medication', 'Latex balloon catheter'),
    );
    const { text, audit } = await search.run(chart.deps, chart.access, { query: 'am I allergic to kiwi' });
    assert.match(text, /\nNothing found for “kiwi allergy”/);
    assert.match(
      text,
      /does not say that it is safe\. Recorded are: Penicillin \(Anaphylaxis; criticality high; AllergyIntolerance\/1\)\. All of it: get_allergies/,
    );
    assert.deepEqual(audit.categories, ['ALLERGIES']);
    // A drug that answers is no answer for the allergy either.
    for (const query of ['am I allergic to latex', 'can I take ibuprofen', 'kann ich Ibuprofen einnehmen'])
      assert.match(await chart.callTool('search', { query }), /Recorded are: Penicillin/, query);
    assert.doesNotMatch(await chart.callTool('search', { query: 'gout' }), /Recorded are/);
  });

  it('names no allergy that the consent leaves out', async () => {
    const chart = await createChart(store.db);
    await chart.add(entry('allergy', 'Penicillin', { current: true }));
    const withheld = toRequiredMask('ALLERGIES');
    await store.db.query(sql`
      update consent set withheld = ${withheld} where patient_id = ${chart.patientId}`);
    const text = await chart.callTool('search', { query: 'am I allergic to kiwi' });
    assert.doesNotMatch(text, /Penicillin|Recorded are/);
  });
});

describe('search for the title of an entry', () => {
  it('finds it whatever its words are taken for', async () => {
    const chart = await createChart(store.db);
    await chart.add(
      entry('immunization', 'ADENOVIRUS,TYPE 4', { dayText: '2020-01-01' }),
      entry('lab', 'eGFR (CKD-EPI 2021)', { dayText: '2025-01-01', detail: { value: '80' } }),
      entry('lab', 'Influenza A 2009 H1N1', { dayText: '2025-01-01', detail: { value: 'Negative' } }),
      entry('lab', 'SARS-CoV-2 (2019-nCoV) RNA', { dayText: '2025-01-01', detail: { value: 'Negative' } }),
      entry('lab', 'Zonulin 2018 assay', { dayText: '2025-01-01', detail: { value: '4' } }),
    );
    for (const query of [
      'ADENOVIRUS,TYPE 4',
      'when was my last eGFR (CKD-EPI 2021)',
      'Influenza A 2009 H1N1',
      'SARS-CoV-2 (2019-nCoV) RNA',
      'what was my Zonulin 2018 assay',
    ]) {
      const title = query.replace(/^(?:when was my last|what was my) /, '');
      assert.ok((await chart.callTool('search', { query })).includes(`| ${title} |`), query);
    }
    assert.match(
      await chart.callTool('search', { query: 'zonulin 2019' }),
      /Nothing found for “zonulin”.*2019-01-01 to 2019-12-31/,
    );
  });
});
