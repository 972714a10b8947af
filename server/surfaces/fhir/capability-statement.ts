import { DEFAULT_COUNT, MAX_COUNT } from '../../../contract/fhir/fhir.ts';
import { FHIR_RESOURCE_TYPES } from '../../../contract/fhir/fhir-resource-types.ts';
import { VERSION } from '../../../contract/version.ts';

const EVERYTHING_TYPES = new Set(['Patient', 'Person']);

/** When this statement last changed. */
const LAST_CHANGED = '2026-11-29';

/** Builds the CapabilityStatement (https://hl7.org/fhir/R4/capabilitystatement.html) of this instance. */
export const buildCapabilityStatement = (baseUrl: string): object => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  date: LAST_CHANGED,
  kind: 'instance',
  software: { name: 'Chartgate', version: VERSION },
  implementation: {
    description: "Patients' records, each readable while its patient consents",
    url: `${baseUrl}/FHIR/R4`,
  },
  fhirVersion: '4.0.1',
  format: ['application/fhir+json', 'application/fhir+ndjson'],
  rest: [
    {
      mode: 'server',
      documentation:
        'Read only. A bearer token of POST /v1/auth/token is needed for everything but this statement: of an organization, for the patients who share with it now, or of a patient, for their own record. Resources of every type can be read by type and id, also as Person/{id}/{type}/{id}; searches are not offered.',
      security: {
        description:
          'Bearer tokens (RFC 6750) of this service; what a consent leaves out is left out of every answer.',
      },
      resource: [...FHIR_RESOURCE_TYPES].map((type) => ({
        type,
        interaction: [{ code: 'read' }],
        conditionalRead: 'not-match',
        versioning: 'no-version',
        readHistory: false,
        updateCreate: false,
        ...(EVERYTHING_TYPES.has(type) && { operation: [EVERYTHING_OPERATION] }),
      })),
    },
  ],
});

const EVERYTHING_OPERATION = {
  name: 'everything',
  definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
  documentation: `GET or POST [base]/Person/{id}/$everything, or Patient/{id}/$everything by the id of a Patient or of the person, with start, end, _count (${DEFAULT_COUNT}; at most ${MAX_COUNT}), _offset, _type and _since; as a Bundle of pages that all show one state of the record, or as application/fhir+ndjson in one answer.`,
};
