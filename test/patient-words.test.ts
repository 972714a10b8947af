import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { calculateEase, calculateGrade } from '../web/kit/readability.ts';
import { consoleEn, consoleEs, en, es } from './harness/words.ts';

type Text = string | ((...names: unknown[]) => string);

/** Every text with its path, such as `review.groups.3`. */
function listTexts(words: object, path = ''): [path: string, text: Text][] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]): [string, Text][] => {
    const here = path === '' ? key : `${path}.${key}`;
    return typeof value === 'object' && value !== null ? listTexts(value, here) : [[here, value as Text]];
  });
}

const english = new Map([...listTexts(en), ...listTexts(consoleEn, 'console')]);
const spanish = new Map([...listTexts(es), ...listTexts(consoleEs, 'console')]);

/** What is inserted, whether it is taken as it is or by one of its names. */
const createPlaceholder = (mark: string): unknown => {
  // oxlint-disable-next-line unicorn/new-for-builtins
  const text = new String(mark);
  return Object.assign(text, { at: mark, count: mark, name: mark });
};

/** As a person reads it, with placeholders for what is inserted. */
const render = (text: Text | undefined): string =>
  typeof text === 'function' ? text(...['⟨0⟩', '⟨1⟩', '⟨2⟩'].map(createPlaceholder)) : (text ?? '');

const listPlaceholders = (text: string): string[] => [...new Set(text.match(/⟨\d⟩/g))].sort();

/** Mails and pages of the server. */
const SERVER_TEXTS = [
  'consent/receipts/receipt-mail.ts',
  'consent/receipts/receipt-words.ts',
  'identity/accounts/link-mail.ts',
  'identity/accounts/passkeys/passkey-mail.ts',
  'identity/accounts/password-mail.ts',
  'identity/members/invitation-mail.ts',
  'identity/members/password-link-mail.ts',
  'identity/patients/invitation.ts',
  'surfaces/oauth/requests/page-dialect.ts',
  'surfaces/portal/account-deleted-mail.ts',
  'surfaces/portal/readme.ts',
];

/** The same in both languages. */
const ALIKE: readonly string[] = [
  'data.categories.GENOMIC_DATA.name',
  'myData.record.moreOf',
  'myData.record.originalOf',
  'myData.record.flags.normal',
  'console.common.no',
  'console.pages.webhooks',
  'console.search.kinds.webhook',
  'console.times.utc',
  'console.roles.auditor',
  'console.sources.connection.version',
  'console.sources.connection.guide.epic',
  'console.sources.connection.guide.oracle',
  'console.sources.connection.guide.hapi',
  'console.sources.form.secret',
  'console.webhooks.title',
  'console.webhooks.delivery.after.seconds',
  'console.webhooks.delivery.after.minutes',
  'console.webhooks.delivery.after.hours',
  'console.webhooks.delivery.took',
  'console.patients.details.webhooks',
  'console.patients.importer.found',
  'console.reads.categories.GENOMIC_DATA',
  'console.reads.heat.hour',
  'console.usage.columns.p95Ms',
  'console.projects.figures.webhooks',
  'console.projects.categories.GENOMIC_DATA',
  'console.projects.ownText',
  'console.projects.inLanguage',
  'console.projects.legal.rest.0.element',
  'console.projects.legal.rest.1.element',
  'console.projects.legal.rest.2.element',
  'console.projects.legal.rest.3.element',
  'console.projects.legal.rest.4.element',
  'console.projects.legal.rest.5.element',
  'console.projects.legal.rest.6.element',
  'console.projects.legal.rest.7.element',
  'console.projects.legal.rest.8.element',
  'console.organization.brand.color',
  'console.profile.languages.en',
  'console.profile.languages.es',
  'console.consents.categories.GENOMIC_DATA',
  'console.consents.detail.seconds',
  'console.consents.detail.zoom',
];

describe('the texts of all pages', () => {
  it('exist in Spanish as in English', () => {
    assert.deepEqual([...spanish.keys()].sort(), [...english.keys()].sort());
    assert.ok(english.size > 100);
  });

  it('are translated', () => {
    const alike = [...english].filter(([path, text]) => render(text) === render(spanish.get(path)));
    assert.deepEqual(
      alike.map(([path]) => path),
      ALIKE,
    );
  });

  it('are nowhere empty, and hold no remains of a template', () => {
    for (const [path, text] of [...english, ...spanish]) {
      assert.notEqual(render(text).trim(), '', path);
      assert.doesNotMatch(render(text), /\$\{|undefined|\[object/, path);
    }
  });

  it('name the same people and things in both languages', () => {
    for (const [path, text] of english) {
      assert.deepEqual(listPlaceholders(render(spanish.get(path))), listPlaceholders(render(text)), path);
      assert.equal(typeof spanish.get(path), typeof text, path);
      if (typeof text === 'function') assert.equal(listPlaceholders(render(text)).length, text.length, path);
    }
  });

  it('call an app by one word in Spanish', () => {
    for (const [path, text] of spanish) assert.doesNotMatch(render(text), /\bapps?\b/i, path);
  });

  it('address people formally in Spanish', () => {
    for (const [path, text] of spanish)
      assert.doesNotMatch(render(text), /\b(tú|tu|tus|te|ti|contigo)\b/i, path);
    for (const file of SERVER_TEXTS)
      assert.doesNotMatch(
        readFileSync(new URL(`../server/${file}`, import.meta.url), 'utf8'),
        /\b(tú|tus|contigo)\b/i,
        file,
      );
  });
});

/** Inserted into the sentences: as long and as hard as names are. */
const NAMES = ['Health Buddy', 'Riverside Clinic', 'March 3, 2027'];

/** The consent text, section by section. */
const listConsentSections = ({ review, data, requester }: typeof en): Record<string, object> => ({
  ...Object.fromEntries(Object.entries(review).filter(([, texts]) => typeof texts === 'object')),
  data,
  requester,
});

/** The texts on the sources of a record, and on what could not be read. */
const listRecordSections = ({ myData, processing, goOnWithout }: typeof en): Record<string, object> => ({
  documents: myData.documents,
  reasons: myData.documents.reasons,
  sources: myData.sources,
  why: myData.sources.reasons,
  processing,
  goOnWithout,
});

function renderAll(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  if (typeof words === 'function') return [(words as (...names: string[]) => string)(...NAMES)];
  return Object.values(words as object).flatMap(renderAll);
}

/** Titles and labels are left out: a fragment of two words would make the whole look easier than it is. */
const splitSentences = (words: unknown): string[] =>
  renderAll(words)
    .filter((text) => /[.?!:]$/.test(text))
    .flatMap((text) => text.split(/(?<=[.?!:])\s+/))
    // A date has no reading length of its own, and "Dr. A" would end no sentence.
    .map((sentence) => sentence.replace('March 3, 2027', 'March'));

/** Below this number, one long word that cannot be avoided would decide; such sections count among all. */
const MIN_SENTENCES = 3;

describe('the reading level', () => {
  // Health agencies demand grade 8 at most; the limit here is grade 6, since the text keeps it.
  it('of the consent text in English is grade 6 or below, and grade 8 or below in each section', () => {
    const sections = listConsentSections(en);
    const all = Object.values(sections).flatMap(splitSentences);
    assert.ok(all.length > 80, `${all.length} sentences`);
    const grade = calculateGrade(all);
    assert.ok(grade <= 6, `grade ${grade.toFixed(1)}`);
    for (const [name, texts] of Object.entries(sections)) {
      const sentences = splitSentences(texts);
      if (sentences.length < MIN_SENTENCES) continue;
      const grade = calculateGrade(sentences);
      assert.ok(grade <= 8, `${name}: grade ${grade.toFixed(1)}`);
    }
  });

  it('of the consent text in Spanish is of normal ease or easier, as a whole and in each section', () => {
    const sections = listConsentSections(es);
    const all = Object.values(sections).flatMap(splitSentences);
    assert.ok(all.length > 80, `${all.length} sentences`);
    for (const [name, sentences] of [
      ['all', all] as const,
      ...Object.entries(sections).map(([name, texts]) => [name, splitSentences(texts)] as const),
    ]) {
      if (sentences.length < MIN_SENTENCES) continue;
      const ease = calculateEase(sentences);
      assert.ok(ease >= 55, `${name}: ${ease.toFixed(1)}`);
    }
  });

  it('of the texts on sources and unread documents is grade 6 or below, and of normal ease in Spanish', () => {
    for (const [name, texts] of Object.entries(listRecordSections(en))) {
      const grade = calculateGrade(splitSentences(texts));
      assert.ok(grade <= 6, `${name}: grade ${grade.toFixed(1)}`);
    }
    for (const [name, texts] of Object.entries(listRecordSections(es))) {
      const ease = calculateEase(splitSentences(texts));
      assert.ok(ease >= 55, `${name}: ${ease.toFixed(1)}`);
    }
  });
});
