import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConsentType } from '../../../../contract/account/consent.ts';
import { ResourceScope } from '../../../../contract/data-categories.ts';
import { ProjectContent } from '../../../../contract/organization/projects.ts';
import { compareVersions } from './compare-versions.ts';
import {
  buildContent,
  CONTENT_FIELDS,
  findFaults,
  findMissingTranslations,
  getLimit,
  readTexts,
} from './content-fields.ts';
import { CATEGORIES, CONSENT_TYPES } from './project-data.ts';

const FULL = ProjectContent.parse({
  en: { title: 'Sleep', purpose: 'How people sleep.', categoryPurposes: { LABS: 'Blood.' } },
  es: { title: 'Sueño', purpose: 'Cómo se duerme.', risks: 'Ninguno.' },
  contact: { email: 'help@clinic.example' },
});

describe('the texts of a content', () => {
  it('are those of the contract, and come back as they were', () => {
    assert.deepEqual(CATEGORIES.toSorted(), ResourceScope.options.toSorted());
    assert.deepEqual(CONSENT_TYPES.toSorted(), ConsentType.options.toSorted());
    assert.deepEqual(buildContent(readTexts(FULL)), FULL);
    const texts = Object.fromEntries(
      CONTENT_FIELDS.map((field) => [field, field === 'contact.email' ? 'a@b.example' : ` ${field} `]),
    );
    const content = ProjectContent.parse(buildContent(texts));
    assert.equal(Object.keys(readTexts(content)).length, CONTENT_FIELDS.length);
    assert.equal(content.es?.categoryPurposes?.GENOMIC_DATA, 'es.categoryPurposes.GENOMIC_DATA');
    assert.deepEqual(buildContent({ 'en.title': 'A', 'en.purpose': 'B', 'es.title': '  ' }), {
      en: { title: 'A', purpose: 'B', benefits: null, risks: null },
      contact: null,
    });
  });

  it('are named where one language has them and the other lacks them', () => {
    assert.deepEqual(findMissingTranslations(readTexts(FULL)), ['en.risks', 'es.categoryPurposes.LABS']);
    assert.deepEqual(findMissingTranslations({ 'en.title': 'A', 'en.risks': 'B', 'es.title': ' ' }), []);
  });

  it('have the faults that the contract would refuse', () => {
    const readFaults = (texts: object) => Object.fromEntries(findFaults(texts));
    assert.deepEqual(readFaults(readTexts(FULL)), {});
    assert.deepEqual(readFaults({ 'en.title': ' ' }), { 'en.title': 'missing', 'en.purpose': 'missing' });
    assert.deepEqual(readFaults({ 'es.categoryPurposes.LABS': 'Sangre', 'contact.email': 'nobody' }), {
      'es.title': 'missing',
      'es.purpose': 'missing',
      'contact.email': 'email',
    });
    for (const field of CONTENT_FIELDS.filter((name) => name !== 'contact.email')) {
      const write = (length: number) => ({ ...readTexts(FULL), [field]: 'x'.repeat(length) });
      assert.deepEqual(
        readFaults(write(getLimit(field))),
        field.startsWith('contact.') ? {} : readFaults(write(1)),
      );
      assert.equal(ProjectContent.safeParse(buildContent(write(getLimit(field)))).success, true, field);
      assert.deepEqual(readFaults(write(getLimit(field) + 1)), { [field]: 'long' });
      assert.equal(ProjectContent.safeParse(buildContent(write(getLimit(field) + 1))).success, false, field);
    }
  });
});

describe('two versions', () => {
  const before = { content: FULL, consentTypes: [{ type: 'DATA_AUTHORIZATION', content: null }] } as const;

  it('differ by a text, by what is asked for, and by the words of a consent', () => {
    assert.equal(compareVersions({ ...before }, { ...before }).isChanged, false);
    const { texts, types, isChanged } = compareVersions(before, {
      content: { ...FULL, contact: null },
      consentTypes: [...before.consentTypes, { type: 'FUTURE_DATA_USE', content: FULL }],
    });
    assert.equal(isChanged, true);
    assert.deepEqual(types.after, ['DATA_AUTHORIZATION', 'FUTURE_DATA_USE']);
    const changed = texts.filter((text) => text.before !== text.after);
    assert.deepEqual(
      changed.map(({ type, field }) => [type, field]),
      [[null, 'contact.email'], ...Object.keys(readTexts(FULL)).map((field) => ['FUTURE_DATA_USE', field])],
    );
    assert.equal(
      compareVersions(null, before).texts.every((text) => text.before === ''),
      true,
    );
  });
});
