import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createChart, entry } from '../../../../test/harness/chart.ts';
import { ENGINES, openTestStore } from '../../../../test/harness/store.ts';

for (const engine of ENGINES)
  describe(`the notes that hold words, on ${engine}`, async () => {
    const store = await openTestStore(engine);
    after(() => store.remove());
    const patient = await createChart(store.db);
    await patient.add(
      ...[
        'No new medication.',
        'Medications reviewed.',
        'Past medical history: none.',
        'Diabetic foot.',
        'Is an active smoker.',
      ].map((text, index) =>
        entry('note', `Note ${index}`, { dayText: `2026-0${index + 1}-01`, detail: { text } }),
      ),
    );
    const search = (query: string): Promise<string> =>
      patient.callTool('search_clinical_notes', { query, years: 5 });

    it('are not those with another word of the same stem', async () => {
      for (const query of ['medication', 'medications']) {
        const text = await search(query);
        assert.match(
          text,
          /No new medication[^]*\n2 matching notes\n|Medications reviewed[^]*\n2 matching notes\n/,
        );
        assert.doesNotMatch(text, /medical/);
      }
      assert.match(await search('medical'), /\n1 matching note\n/);
      assert.match(await search('diabetes'), /Diabetic foot/);
      assert.match(await search('medication reviewed'), /Note 1[^]*\n1 matching note\n/);
    });

    it('are said to be looked for as written where there are none, with a way on', async () => {
      const text = await search('smoking');
      assert.match(
        text,
        /No note in this record matches\. Looked for as written, with plural and tenses: “smoking”\. `search` goes by meaning/,
      );
      assert.match(text, /\n0 matching notes\n/);
    });
  });
