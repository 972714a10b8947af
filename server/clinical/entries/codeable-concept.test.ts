import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildEntries } from './build-entries.ts';
import { formatConcept, SNOMED } from './codeable-concept.ts';

const own = (code: string, display?: string) => ({ system: 'urn:oid:1.2.3', code, display });

describe('the words of a concept', () => {
  it('are its text, then a display, then a code of a known system, wherever its coding stands', () => {
    const achieved = { system: 'http://terminology.hl7.org/CodeSystem/goal-achievement', code: 'improving' };
    for (const [concept, words] of [
      [{ text: 'Better', coding: [own('7'), achieved] }, 'Better'],
      [{ coding: [own('7'), { ...achieved, display: 'Improving' }] }, 'Improving'],
      [{ coding: [own('7'), achieved] }, 'improving'],
      [{ coding: [own('7'), { system: SNOMED, code: '385633008' }] }, 'SNOMED CT 385633008'],
      [{ coding: [own('7'), { system: SNOMED, code: '195967001' }] }, 'Asthma'],
      [{ coding: [own('7'), own('8')] }, '7'],
    ] as const)
      assert.equal(formatConcept(concept), words);
  });

  it('name the class of a visit also behind a coding of the sender', () => {
    const [visit] = buildEntries(
      { resourceType: 'Encounter', class: { coding: [own('7'), { code: 'EMER' }] } },
      { resolve: () => null },
    );
    assert.ok(visit?.kind === 'visit');
    assert.equal(visit.detail.class, 'emergency');
  });
});
