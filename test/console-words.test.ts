import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import type { z } from 'zod';
import { takesMember } from '../contract/endpoint.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { FINDINGS, type FindingCode } from '../contract/organization/doctor/findings.ts';
import { AUDIT_ACTIONS } from '../server/platform/audit/actions.ts';
import { findings } from '../web/console/src/system-check/words/es/findings.ts';
import { describeInputFault } from '../web/console/src/kit/describe-input-fault.ts';
import { ROOT } from './harness/process.ts';
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

/** What a schema's own checks say of an input that they refuse. */
function listMessages(schema: unknown, seen = new Set<unknown>()): string[] {
  // A check of zod has its definition there alone.
  // oxlint-disable-next-line no-underscore-dangle
  const definition = (schema as z.core.$ZodType | null)?._zod?.def as Record<string, unknown> | undefined;
  if (definition === undefined || seen.has(schema)) return [];
  seen.add(schema);
  const inner = Object.values(definition).flatMap((value) =>
    typeof value === 'object' && value !== null && !('_zod' in value) ? Object.values(value) : [value],
  );
  const { error } = definition as { error?: z.core.$ZodErrorMap };
  const said = error?.({ code: 'custom', input: '' } as never) ?? [];
  const messages = [typeof said === 'object' && 'message' in said ? said.message : said].flat();
  return [...messages, ...inner.flatMap((value) => listMessages(value, seen))];
}

it('the console says in both languages what each check of the contract finds wrong with what a member sends', () => {
  const bodies = ENDPOINTS.filter((each) => takesMember(each) || each.page === 'console').map(
    ({ body }) => body,
  );
  const messages = new Set(bodies.flatMap((body) => listMessages(body)));
  assert.ok(messages.has('must be one line') && messages.size > 25, String(messages.size));
  for (const message of messages)
    for (const words of [consoleEn, consoleEs]) assert.ok(describeInputFault(message, words), message);
  assert.deepEqual(Object.keys(consoleEn.inputs.faults), Object.keys(consoleEs.inputs.faults));
  const source = ['contract', 'server']
    .flatMap((folder) => fs.globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
    .map((file) => fs.readFileSync(path.join(ROOT, file), 'utf8'))
    .join('\n');
  for (const message of Object.keys(consoleEn.inputs.faults))
    assert.ok(messages.has(message) || source.includes(`'${message}'`), `nobody says “${message}”`);
});
