import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProjectContent } from './projects.ts';
import { localizeContent } from './localize-content.ts';

const CONTENT = {
  en: {
    title: 'Better breath',
    purpose: 'To learn.',
    benefits: null,
    risks: 'Somebody may learn of it.',
    categoryPurposes: { LABS: 'To follow your blood.', VISITS: 'To count them.' },
  },
  es: {
    title: 'Respirar mejor',
    purpose: 'Para aprender.',
    benefits: 'Respirar.',
    risks: null,
    categoryPurposes: { VISITS: 'Para contarlas.' },
  },
  contact: null,
} as ProjectContent;

describe('the words of a project in two languages', () => {
  it('are taken text by text: what one language lacks is shown in the other', () => {
    const es = localizeContent(CONTENT, 'es');
    assert.deepEqual(es?.purpose, { text: 'Para aprender.', lang: 'es' });
    assert.deepEqual(es?.risks, { text: 'Somebody may learn of it.', lang: 'en' });
    assert.deepEqual(es?.categoryPurposes.get('LABS'), { text: 'To follow your blood.', lang: 'en' });
    assert.deepEqual(es?.categoryPurposes.get('VISITS'), { text: 'Para contarlas.', lang: 'es' });
    assert.deepEqual(localizeContent(CONTENT, 'en')?.benefits, { text: 'Respirar.', lang: 'es' });
  });

  it('are none where nothing is written', () => {
    assert.equal(localizeContent({ contact: null }, 'en'), null);
    assert.equal(localizeContent(null, 'en'), null);
  });
});
