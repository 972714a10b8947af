import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ParsedResource } from '../store/found-resource.ts';
import { buildEntries } from './build-entries.ts';
import { listUnreadDates } from './unread-dates.ts';

const build = (resource: ParsedResource) => buildEntries(resource, { resolve: () => null });
const WRITTEN = '03/09/2026';

describe('dates that are none', () => {
  it('are listed by the elements that date the care, each once', () => {
    for (const [resource, dates] of [
      [{ resourceType: 'Observation', effectiveDateTime: WRITTEN, issued: '2026-03-09' }, [WRITTEN]],
      [
        { resourceType: 'Observation', effectivePeriod: { start: WRITTEN, end: '2026-02-30' } },
        [WRITTEN, '2026-02-30'],
      ],
      [{ resourceType: 'Observation', effectiveTiming: { event: ['2026-03-09', WRITTEN] } }, [WRITTEN]],
      [
        { resourceType: 'DocumentReference', context: { period: { start: WRITTEN } }, date: WRITTEN },
        [WRITTEN],
      ],
      [{ resourceType: 'Encounter', period: { start: '20260309', end: '2026-3-9' } }, []],
      [{ resourceType: 'Condition', onsetString: 'in childhood', onsetAge: { value: '5' } }, []],
      [{ resourceType: 'Patient', birthDate: WRITTEN }, []],
      [{ resourceType: 'Observation', effectiveDateTime: 'x'.repeat(100) }, [`${'x'.repeat(40)} …`]],
      [{ resourceType: 'Condition', onsetDateTime: '2026', abatementDateTime: WRITTEN }, [WRITTEN]],
      [
        {
          resourceType: 'MedicationRequest',
          dosageInstruction: [{}, { timing: { repeat: { boundsPeriod: { end: WRITTEN } } } }],
          dispenseRequest: { validityPeriod: { end: '2026-02-30' } },
        },
        [WRITTEN, '2026-02-30'],
      ],
    ] as [ParsedResource, string[]][])
      assert.deepEqual(listUnreadDates(resource), dates, JSON.stringify(resource));
  });

  it('are read from the extension of a date without a value', () => {
    const writtenAs = (valueString: string) => ({
      extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/originalText', valueString }],
    });
    for (const [resource, dates] of [
      [{ resourceType: 'Observation', _effectiveDateTime: writtenAs('200130311') }, ['200130311']],
      [
        { resourceType: 'Observation', effectivePeriod: { _start: writtenAs('20250230'), end: '2025' } },
        ['20250230'],
      ],
      [{ resourceType: 'Procedure', performedDateTime: '2025', _performedDateTime: writtenAs('202513') }, []],
      [{ resourceType: 'Immunization', _occurrenceDateTime: { extension: [{ url: 'other' }] } }, []],
    ] as [ParsedResource, string[]][])
      assert.deepEqual(listUnreadDates(resource), dates, JSON.stringify(resource));
  });

  it('stand in the entries as they were written, once', () => {
    const code = { text: 'Something' };
    for (const resource of [
      { resourceType: 'Observation', code, effectiveDateTime: WRITTEN, note: [{ text: 'Fasting.' }] },
      { resourceType: 'Condition', code, onsetDateTime: WRITTEN },
      { resourceType: 'AllergyIntolerance', code, recordedDate: WRITTEN },
      { resourceType: 'MedicationRequest', medicationCodeableConcept: code, authoredOn: WRITTEN },
      { resourceType: 'Procedure', code, performedDateTime: WRITTEN },
      { resourceType: 'Immunization', vaccineCode: code, occurrenceDateTime: WRITTEN },
      { resourceType: 'Encounter', type: [code], period: { start: WRITTEN } },
      {
        resourceType: 'DocumentReference',
        type: code,
        date: WRITTEN,
        content: [{ attachment: { title: 'x' } }],
      },
      { resourceType: 'ImagingStudy', description: 'x', started: WRITTEN },
    ]) {
      const [entry] = build(resource);
      assert.ok(entry, resource.resourceType);
      assert.equal(entry.day, null);
      assert.equal(JSON.stringify(entry.detail).split(WRITTEN).length, 2, JSON.stringify(entry.detail));
      assert.match(JSON.stringify(entry.detail), /date as written: |Performed: |Given: |"onset":/);
    }
  });
});
