import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AUDIT_ACTIONS } from '../server/platform/audit/actions.ts';
import { consoleEn, consoleEs } from './harness/words.ts';

it('the console has a sentence for each action of the audit log, in both languages', () => {
  const actions = Object.keys(AUDIT_ACTIONS).sort();
  for (const { audit } of [consoleEn, consoleEs]) {
    assert.deepEqual(Object.keys(audit.actions).sort(), actions);
    for (const describe of Object.values(audit.actions)) assert.match(describe('Ana Ruiz'), /^Ana Ruiz \S/);
  }
});
