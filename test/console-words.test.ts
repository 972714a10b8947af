import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FINDINGS, type FindingCode } from '../contract/organization/doctor/findings.ts';
import { AUDIT_ACTIONS } from '../server/platform/audit/actions.ts';
import { findings } from '../web/console/src/system-check/words/es/findings.ts';
import { consoleEn, consoleEs, en, es } from './harness/words.ts';

it('the console has a sentence for each action of the audit log, in both languages', () => {
  const actions = Object.keys(AUDIT_ACTIONS).sort();
  for (const { audit } of [consoleEn, consoleEs]) {
    assert.deepEqual(Object.keys(audit.actions).sort(), actions);
    for (const describe of Object.values(audit.actions)) assert.match(describe('Ana Ruiz'), /^Ana Ruiz \S/);
  }
});

it('the console has the sentences of each finding of the system check in Spanish, with the same values', () => {
  const listValues = (text: string | null | undefined): string[] | null =>
    text === null || text === undefined ? null : (text.match(/\{\w+\}/g) ?? []).sort();
  for (const [code, { detail, remedy }] of Object.entries(FINDINGS)) {
    const [translated, mends] = findings[code as FindingCode];
    assert.deepEqual(
      [listValues(translated), listValues(mends)],
      [listValues(detail), listValues(remedy)],
      code,
    );
  }
});

it('the console names kinds of data and protected classes as the patient reads them, in both languages', () => {
  for (const [{ consents }, { data }] of [
    [consoleEn, en],
    [consoleEs, es],
  ] as const) {
    // Of these, one says "you" to the patient, and the other "they" to a member.
    const { DEMOGRAPHICS: _, CONTACT_INFO: __, ...categories } = consents.categories;
    const named = { ...categories, ...consents.classes };
    const read: Readonly<Record<string, { name: string }>> = { ...data.categories, ...data.sensitivities };
    assert.deepEqual(named, Object.fromEntries(Object.keys(named).map((name) => [name, read[name]?.name])));
  }
});
