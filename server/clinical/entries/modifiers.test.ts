import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildEntries } from './build-entries.ts';
import { isModified } from './modifiers.ts';

const build = (resource: object) =>
  buildEntries(
    { resourceType: 'Observation', id: 'o', code: { text: 'Hemoglobin' }, ...resource },
    { resolve: () => null },
  );
const unknown = [{ url: 'http://example.org/is-simulated', valueBoolean: true }];
const forbidden = (value: boolean) => [
  { url: 'http://hl7.org/fhir/StructureDefinition/request-doNotPerform', valueBoolean: value },
];

describe('a modifier extension', () => {
  it('marks the entries of its resource, wherever it stands, and makes them one with no other', () => {
    const [plain] = build({});
    for (const place of [
      { modifierExtension: unknown },
      { component: [{ code: { text: 'part' }, modifierExtension: unknown }] },
      { contained: [{ resourceType: 'Specimen', modifierExtension: unknown }] },
      { note: [{ text: 'x', extension: [{ url: 'y', modifierExtension: unknown }] }] },
    ]) {
      const [entry] = build(place);
      assert.equal(entry?.title, 'Hemoglobin (with an unknown modifier)', JSON.stringify(place));
      assert.ok(entry && isModified(entry));
      assert.notEqual(entry.groupKey, plain?.groupKey);
      assert.equal(entry.names, undefined);
    }
    for (const nothing of [{}, { modifierExtension: [] }, { extension: unknown }])
      assert.equal(build(nothing)[0]?.title, 'Hemoglobin');
  });

  it('that forbids is understood, as the element is', () => {
    const titles = (resource: object) =>
      buildEntries(
        { resourceType: 'DeviceRequest', codeCodeableConcept: { text: 'Wheelchair' }, ...resource },
        {
          resolve: () => null,
        },
      ).map(({ title }) => title);
    assert.deepEqual(titles({ modifierExtension: forbidden(true) }), ['Not to be done: Wheelchair']);
    assert.deepEqual(titles({ modifierExtension: forbidden(false) }), ['Wheelchair']);
    assert.deepEqual(
      titles({ resourceType: 'ServiceRequest', code: { text: 'MRI' }, modifierExtension: forbidden(true) }),
      ['Order not to perform: MRI'],
    );
    assert.deepEqual(titles({ resourceType: 'CommunicationRequest', doNotPerform: true }), [
      'Not to be done: Communication request',
    ]);
    const [drug] = build({
      resourceType: 'MedicationRequest',
      medicationCodeableConcept: { text: 'Penicillin' },
      status: 'active',
      modifierExtension: [...forbidden(true), ...unknown],
    });
    assert.equal(drug?.title, 'Do not give: Penicillin (with an unknown modifier)');
    assert.match(drug?.groupKey ?? '', /^not:/);
  });
});
