import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildEntries } from './build-entries.ts';

const reason = { text: 'Patient refused', coding: [{ system: 'http://snomed.info/sct', code: '443390004' }] };
const drug = { medicationCodeableConcept: { text: 'Heparin' } };

/** Every type of R4 whose status has a reason, and the place of it. */
const RESOURCES: readonly [resource: Record<string, unknown> & { resourceType: string }, reason: object][] = [
  [{ resourceType: 'MedicationAdministration', status: 'not-done', ...drug }, { statusReason: [reason] }],
  [
    { resourceType: 'MedicationDispense', status: 'declined', ...drug },
    { statusReasonCodeableConcept: reason },
  ],
  [{ resourceType: 'MedicationRequest', status: 'stopped', ...drug }, { statusReason: reason }],
  [{ resourceType: 'MedicationStatement', status: 'not-taken', ...drug }, { statusReason: [reason] }],
  [{ resourceType: 'Procedure', status: 'not-done', code: { text: 'X-ray' } }, { statusReason: reason }],
  [{ resourceType: 'Procedure', status: 'stopped', code: { text: 'X-ray' } }, { statusReason: reason }],
  [
    { resourceType: 'Immunization', status: 'not-done', vaccineCode: { text: 'MMR' } },
    { statusReason: reason },
  ],
  [{ resourceType: 'Communication', status: 'not-done' }, { statusReason: reason }],
  [{ resourceType: 'Task', status: 'rejected' }, { statusReason: reason }],
  [{ resourceType: 'Appointment', status: 'cancelled' }, { cancelationReason: reason }],
  [
    { resourceType: 'Encounter', status: 'cancelled', class: { code: 'AMB' } },
    {
      extension: [
        {
          url: 'http://hl7.org/fhir/StructureDefinition/encounter-reasonCancelled',
          valueCodeableConcept: reason,
        },
      ],
    },
  ],
  [
    { resourceType: 'ServiceRequest', status: 'revoked', code: { text: 'MRI' } },
    {
      extension: [
        { url: 'http://hl7.org/fhir/StructureDefinition/request-statusReason', valueCodeableConcept: reason },
      ],
    },
  ],
];

describe('the reason of a status', () => {
  for (const [resource, where] of RESOURCES)
    it(`is said of a ${resource.resourceType} that is ${String(resource['status'])}, in its own words`, () => {
      const [entry] = buildEntries({ ...resource, ...where }, { resolve: () => null });
      assert.match(JSON.stringify(entry?.detail), /Patient refused/);
    });
});
