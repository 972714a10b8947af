import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersonDetail } from '../../../../contract/account/record-facts.ts';
import { en } from '../words/en.ts';
import { es } from '../words/es.ts';
import { formatPersonDetail } from './format-person-detail.ts';

const english = (name: PersonDetail['name'], text: string): string =>
  formatPersonDetail({ name, text }, en.myData.record, 'en');

describe('what a record says of the person', () => {
  it('is in words where the standard has them', () => {
    assert.equal(english('maritalStatus', 'M'), 'Married');
    assert.equal(english('language', 'eng'), 'English');
    assert.equal(english('language', 'es-MX'), 'Mexican Spanish');
    assert.equal(formatPersonDetail({ name: 'language', text: 'eng' }, es.myData.record, 'es'), 'inglés');
  });

  it('stays as it stands where it is no code, or one that means two things', () => {
    for (const text of ['Married', 'A', 'constructor']) assert.equal(english('maritalStatus', text), text);
    for (const text of ['Spanish', 'zzx', 'x']) assert.equal(english('language', text), text);
  });
});
