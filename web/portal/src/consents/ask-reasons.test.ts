import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ReadingConsent } from '../../../../contract/account/consent.ts';
import type { ProjectId } from '../../../../contract/brands.ts';
import { en } from '../words/en.ts';
import { es } from '../words/es.ts';
import { formatAskReasons } from './ask-reasons.ts';

const reading: ReadingConsent = {
  consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
  project: { id: 'p' as ProjectId, name: 'Study', titles: { en: 'Asthma study', es: 'Estudio del asma' } },
  expiresAt: '2027-01-01T00:00:00Z',
};
const ask = (reason: 'new' | 'expired' | 'words_changed') =>
  ({ organization: { name: 'Lakeside' }, asked: [{ consentType: 'DATA_AUTHORIZATION', reason }] }) as const;
const english = (asking: Parameters<typeof formatAskReasons>[0]): string[] =>
  formatAskReasons(asking, { words: en, language: 'en' });

it('says that nothing is read where no yes is in force, and by which yes it is where one is', () => {
  assert.deepEqual(english({ ...ask('expired'), reading: [] }), [
    'Your yes has ended. Lakeside reads nothing any more.',
  ]);
  for (const reason of ['new', 'expired'] as const) {
    const asking = { ...ask(reason), reading: [reading] };
    assert.match(
      english(asking).join(),
      /\. Lakeside can still read your record, by another yes: “.+Asthma study\)”\.$/,
    );
    const [text] = formatAskReasons(asking, { words: es, language: 'es' });
    assert.match(text ?? '', /Estudio del asma/);
    assert.doesNotMatch(text ?? '', /ya no lee|no lee nada/);
  }
});

it('says of what goes on, and of what is not known, no more than why it is asked', () => {
  assert.deepEqual(english({ ...ask('words_changed'), reading: [reading] }), [
    en.myData.asked.reasons.words_changed,
  ]);
  assert.deepEqual(english({ ...ask('new') }), [en.myData.asked.reasons.new]);
});
