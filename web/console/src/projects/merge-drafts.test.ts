import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeDrafts } from './merge-drafts.ts';
import type { WordsDraft } from './words-draft.ts';

const BASE: WordsDraft = {
  texts: { 'en.title': 'Sleep', 'en.purpose': 'How people sleep.', 'en.benefits': 'None.' },
  types: ['DATA_AUTHORIZATION'],
  own: { DATA_AUTHORIZATION: { 'en.title': 'Reading', 'en.purpose': 'We read.' } },
};
const write = (texts: WordsDraft['texts'], more: Partial<WordsDraft> = {}): WordsDraft => ({
  ...BASE,
  ...more,
  texts: { ...BASE.texts, ...texts },
});

describe('words that were written while a colleague published', () => {
  it('case 510: take nothing out of what was published: what was not touched is as it is in force', () => {
    const theirs = write({ 'en.purpose': 'Reviewed.', 'en.risks': 'Others may see it.', 'en.benefits': '' });
    const { draft, base, conflicts } = mergeDrafts({
      base: BASE,
      mine: write({ 'en.title': 'Sleep well' }),
      theirs,
    });
    assert.deepEqual(draft.texts, { ...theirs.texts, 'en.title': 'Sleep well' });
    assert.deepEqual([base.texts, conflicts], [theirs.texts, []]);
  });

  it('stay where both have changed a text, which is named until the words are published', () => {
    const mine = write({ 'en.title': 'Mine', 'en.purpose': 'The same. ' });
    const theirs = write({ 'en.title': 'Theirs', 'en.purpose': 'The same.' });
    const once = mergeDrafts({ base: BASE, mine, theirs });
    const again = mergeDrafts({ base: once.base, mine: once.draft, theirs });
    for (const { draft, conflicts } of [once, again]) {
      assert.equal(draft.texts['en.title'], 'Mine');
      assert.deepEqual(conflicts, [{ type: null, field: 'en.title' }]);
    }
    const given = { ...once.draft, texts: { ...once.draft.texts, 'en.title': 'Theirs' } };
    assert.deepEqual(mergeDrafts({ base: once.base, mine: given, theirs }).conflicts, []);
  });

  it('can be taken out here, and stay out', () => {
    const mine = write({ 'en.benefits': '' });
    const { draft } = mergeDrafts({ base: BASE, mine, theirs: write({ 'en.risks': 'Some.' }) });
    assert.deepEqual([draft.texts['en.benefits'], draft.texts['en.risks']], ['', 'Some.']);
  });
});

describe('consents that are asked for, and their own words, while a colleague published', () => {
  const merge = (mine: Partial<WordsDraft>, theirs: Partial<WordsDraft>) =>
    mergeDrafts({ base: BASE, mine: write({}, mine), theirs: write({}, theirs) });

  it('are added and taken out as either side did', () => {
    const asked = merge({ types: ['DATA_AUTHORIZATION', 'FUTURE_DATA_USE'] }, { types: [] }).draft.types;
    assert.deepEqual(asked, ['FUTURE_DATA_USE']);
    const more = { types: ['PATIENT_DIRECTED_DATA_EXCHANGE', 'DATA_AUTHORIZATION'] as const };
    assert.deepEqual(merge({}, more).draft.types, more.types);
    assert.deepEqual(merge({ types: [] }, more).draft.types, ['PATIENT_DIRECTED_DATA_EXCHANGE']);
  });

  it('have words of their own as whoever touched them left them, and these are named where both did', () => {
    const type = 'DATA_AUTHORIZATION';
    const own = { [type]: { 'en.title': 'Reading', 'en.purpose': 'We read little.' } };
    const named = [{ type, field: 'en.purpose' }];
    const untouched = merge({}, { own: {} });
    assert.deepEqual([untouched.draft.own[type], untouched.conflicts], [undefined, []]);
    const written = merge({ own }, { own: {} });
    assert.deepEqual([written.draft.own[type], written.conflicts], [own[type], named]);
    const removed = merge({ own: {} }, { own });
    assert.deepEqual([removed.draft.own[type], removed.conflicts], [undefined, named]);
    const theirs = merge({}, { own });
    assert.deepEqual([theirs.draft.own[type], theirs.conflicts], [own[type], []]);
    const added = merge({}, { own: { ...BASE.own, FUTURE_DATA_USE: { 'en.title': 'Later' } } });
    assert.deepEqual(added.draft.own['FUTURE_DATA_USE'], { 'en.title': 'Later' });
  });
});
