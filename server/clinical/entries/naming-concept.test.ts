import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FHIR_RESOURCE_TYPES } from '../../../contract/fhir/fhir-resource-types.ts';
import { buildEntries } from './build-entries.ts';
import { KIND_ALONE } from './entry-base.ts';
import { buildDisplay } from './resource-display.ts';

const coded = (code: string, display: string) => ({ coding: [{ system: 'http://kinds', code, display }] });
const kind = { type: coded('FF', 'First fill'), category: [coded('outpatient', 'Outpatient')] };

/** Of these the type is what they are. */
const NAMED_BY_TYPE =
  /^(?:Encounter|EpisodeOfCare|Device|Specimen|Composition|DocumentReference|DocumentManifest)$/;

describe('what names a resource', () => {
  it('is neither a type nor a category that only says of which kind it is', () => {
    for (const resourceType of FHIR_RESOURCE_TYPES) {
      if (NAMED_BY_TYPE.test(resourceType)) continue;
      const entries = buildEntries(
        { resourceType, id: 'a', ...kind },
        {
          resolve: () => null,
        },
      );
      for (const { names = [], code, displays = [] } of entries)
        assert.deepEqual(
          { names: names.filter((name) => name !== KIND_ALONE), code, displays },
          { names: [], code: null, displays: [] },
          resourceType,
        );
    }
  });

  it('is the drug of an order, a dispense, a statement and a dose, wherever it is named', () => {
    const drugs: readonly object[] = [
      { medicationCodeableConcept: { text: 'Warfarin' } },
      { medicationReference: { reference: 'Medication/1', display: 'Warfarin' } },
      {
        medicationReference: { reference: '#m' },
        contained: [{ resourceType: 'Medication', id: 'm', code: { text: 'Warfarin' } }],
      },
    ];
    for (const resourceType of [
      'MedicationRequest',
      'MedicationStatement',
      'MedicationAdministration',
      'MedicationDispense',
    ]) {
      for (const drug of drugs) {
        const resource = { resourceType, ...kind, ...drug };
        assert.equal(buildEntries(resource, { resolve: () => null })[0]?.title, 'Warfarin');
        assert.equal(buildDisplay(resource).display, 'Warfarin');
      }
      assert.equal(buildDisplay({ resourceType, ...kind }).display, null);
    }
  });
});
