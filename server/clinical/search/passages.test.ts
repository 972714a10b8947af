import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entry, measure } from '../../../test/harness/chart.ts';
import { buildPassages } from './passages.ts';

describe('the passages of an entry', () => {
  it('are one for its title and the facts that stay the same', () => {
    assert.deepEqual(
      buildPassages(
        entry('medication', 'Metformin', {
          dayText: '2025-01-01',
          detail: { dosage: 'twice daily', reason: 'Diabetes' },
        }),
      ),
      [{ title: 'Metformin', body: 'twice daily\nDiabetes' }],
    );
    assert.deepEqual(buildPassages(entry('procedure', 'Colonoscopy')), [{ title: 'Colonoscopy', body: '' }]);
  });

  it('leave out numbers, so that equal tests are one passage, and keep results in words', () => {
    for (const value of ['5.40', '<0.1', '1:128', '-3', null]) {
      assert.deepEqual(
        buildPassages(entry('lab', 'Glucose', { detail: { value } })),
        [{ title: 'Glucose', body: '' }],
        String(value),
      );
    }
    const culture = entry('lab', 'Culture', {
      detail: { value: 'Escherichia coli', components: [measure('Ampicillin', 'Resistant', null)] },
    });
    assert.deepEqual(buildPassages(culture), [
      { title: 'Culture', body: 'Escherichia coli\nAmpicillin\nResistant' },
    ]);
  });

  it('are many for a note, and one for a note without text', () => {
    const note = entry('note', 'Progress note', { detail: { text: '# Plan\nRest.\n\n# History\nNone.' } });
    assert.deepEqual(
      buildPassages(note).map(({ body }) => body),
      ['# Plan\nRest.', '# History\nNone.'],
    );
    assert.deepEqual(buildPassages(entry('note', 'Scan')), [{ title: 'Scan', body: '' }]);
  });

  it('are found by the name of the document that a note is a part of', () => {
    const note = entry('note', 'Findings', { displays: ['Chest X-ray'], detail: { text: 'Clear lungs.' } });
    assert.deepEqual(buildPassages(note), [{ title: 'Findings; Chest X-ray', body: 'Clear lungs.' }]);
  });

  it('are limited in number and length', () => {
    const note = entry('note', 'N'.repeat(9000), { detail: { text: 'All is well. '.repeat(400_000) } });
    const passages = buildPassages(note);
    assert.equal(passages.length, 2000);
    for (const { title, body } of passages) assert.ok(title.length <= 500 && body.length <= 1500);
  });
});
