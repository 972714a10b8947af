import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** Any FHIR R4 resource, as the patient's record holds it. */
export const FhirResource = z
  .looseObject({ resourceType: z.string() })
  .meta({ id: 'FhirResource', description: 'A FHIR R4 resource (https://hl7.org/fhir/R4/resource.html)' });

export const FhirBundle = z
  .object({
    resourceType: z.literal('Bundle'),
    type: z.literal('searchset'),
    total: z.int().min(0),
    link: z.array(z.object({ relation: z.enum(['self', 'first', 'next', 'last']), url: z.url() })),
    entry: z
      .array(
        z.object({
          fullUrl: z.url(),
          search: z.object({ mode: z.literal('match') }),
          resource: FhirResource,
        }),
      )
      .optional()
      .describe('Absent on a page without entries: no array of FHIR is empty'),
  })
  .meta({ id: 'FhirBundle' });

export const OperationOutcome = z
  .object({
    resourceType: z.literal('OperationOutcome'),
    issue: z.array(
      z.object({
        severity: z.enum(['fatal', 'error', 'warning', 'information']),
        code: z.string(),
        diagnostics: z.string(),
        expression: z.array(z.string()).optional(),
      }),
    ),
  })
  .meta({ id: 'OperationOutcome' });
export type OperationOutcome = z.infer<typeof OperationOutcome>;

/** The entries on a page of `$everything`: by default, and at most. */
export const DEFAULT_COUNT = 500;
export const MAX_COUNT = 5000;

/** FHIR date: a day, a month or a year. */
const DATE_PATTERN = '^\\d{4}(-\\d{2}(-\\d{2})?)?$';

/** Parameters come as text and are validated where FHIR is served, whose refusals name them as FHIR does. */
export const EverythingQuery = z.object({
  _count: z
    .string()
    .optional()
    .meta({ type: 'integer', minimum: 0 })
    .describe(
      `Entries on a page: 0 to ${MAX_COUNT}, ${DEFAULT_COUNT} when absent; 0 returns only the total. NDJSON has no pages: 0 is refused there, others are ignored`,
    ),
  _offset: z.string().optional().describe('The number of entries before the page; links carry it'),
  _type: z
    .string()
    .optional()
    .describe('Resource types, separated by commas: only these are returned; may be repeated'),
  _since: z
    .string()
    .optional()
    .describe(
      'A date or a date-time: only resources that were added or changed after it; with `meta.lastUpdated` of a Bundle, all that came since that traversal',
    ),
  start: z
    .string()
    .optional()
    .meta({ pattern: DATE_PATTERN })
    .describe(
      'A date, a month or a year: only resources about care on or after it, and those that state no date of care (https://hl7.org/fhir/R4/patient-operation-everything.html)',
    ),
  end: z
    .string()
    .optional()
    .meta({ pattern: DATE_PATTERN })
    .describe('A date, a month or a year: care until then'),
  _format: z.string().optional().describe('json or ndjson, instead of Accept'),
  _state: z.string().optional().describe('In links: the time of the first page, whose state all pages show'),
  _after: z.string().optional().describe('In links: the position in the record after which the page begins'),
  _counted: z.string().optional().describe('In links: the total, counted once, and where the page is'),
  _total: z.string().optional().describe('none, estimate or accurate; the total is exact whichever it is'),
});
export type EverythingQuery = z.infer<typeof EverythingQuery>;

/** The body of an operation that is invoked by POST. */
export const FhirParameters = z
  .looseObject({
    resourceType: z.literal('Parameters'),
    parameter: z.array(z.looseObject({ name: z.string() })).optional(),
  })
  .meta({
    id: 'FhirParameters',
    description: 'The parameters of an operation (https://hl7.org/fhir/R4/parameters.html)',
  });

const open = {
  method: 'GET',
  tag: 'FHIR',
  dialect: 'fhir',
  produces: 'application/fhir+json',
} as const;

const shared = {
  ...open,
  audience: ['organization', 'patient'],
  permission: 'records.read',
  usage: 'fhir_read',
} as const;

const read = {
  ...shared,
  headers: {
    Prefer: 'With `handling=strict` a parameter other than `_format` is refused; otherwise it is ignored',
  },
} as const;

const recordRefusals = {
  403: 'The patient does not share with the organization of this token now, or does not exist',
  406: 'Only FHIR JSON is served',
};

const refusals = { ...recordRefusals, 404: 'There is no such resource, or no consent permits it' };

const everything = {
  ...shared,
  storeUse: 'reads',
  query: EverythingQuery,
  headers: {
    Prefer:
      'With `handling=strict` a parameter that is not supported, for NDJSON also one of pages, is refused; otherwise it is ignored, and absent from the `self` link',
  },
  response: FhirBundle,
  alternatives: { 'application/fhir+ndjson': z.string().describe('One resource on each line') },
  refusals: { ...recordRefusals, 410: 'The traversal took longer than a day: start again without `_state`' },
} as const;

const invoked = {
  ...everything,
  method: 'POST',
  consumes: 'application/fhir+json',
  body: FhirParameters,
  bodyOptional: true,
  bodyLimit: 64 * 1024,
  refusals: {
    ...everything.refusals,
    413: 'The Parameters are larger than 64 KiB',
    415: 'The body is of another content type than FHIR JSON, or under a content coding',
  },
} as const;

const ofPerson = {
  path: '/FHIR/R4/Person/{patientId}/$everything',
  aliases: ['/FHIR/R4/Person/{patientId}/%24everything'],
} as const;

export const getPersonEverything = defineEndpoint({
  ...everything,
  ...ofPerson,
  name: 'getPersonEverything',
  summary:
    'The whole record: a Bundle of pages, or with `Accept: application/fhir+ndjson` all of it in one answer, one resource on each line',
});

export const invokePersonEverything = defineEndpoint({
  ...invoked,
  ...ofPerson,
  name: 'invokePersonEverything',
  summary: 'The whole record, with its parameters in the body: the same answer as by GET, with links to GET',
});

const ofPatient = {
  path: '/FHIR/R4/Patient/{resourceId}/$everything',
  aliases: ['/FHIR/R4/Patient/{resourceId}/%24everything'],
} as const;

const severalRecords = {
  409: 'Several patients have a Patient with this id: name the person, `Person/{patientId}/$everything`',
};

export const getPatientEverything = defineEndpoint({
  ...everything,
  ...ofPatient,
  name: 'getPatientEverything',
  summary: 'The whole record that a Patient is of, by the id of the Patient or of the person',
  refusals: { ...everything.refusals, ...severalRecords },
});

export const invokePatientEverything = defineEndpoint({
  ...invoked,
  ...ofPatient,
  name: 'invokePatientEverything',
  summary: 'The whole record that a Patient is of, with its parameters in the body',
  refusals: { ...invoked.refusals, ...severalRecords },
});

export const readPerson = defineEndpoint({
  ...read,
  path: '/FHIR/R4/Person/{resourceId}',
  name: 'readPerson',
  tagged: true,
  storeUse: 'reads',
  summary: 'The person of a record, by patient id, or a Person of an uploaded document',
  response: FhirResource,
  refusals,
});

export const readResource = defineEndpoint({
  ...read,
  path: '/FHIR/R4/{resourceType}/{resourceId}',
  name: 'readResource',
  tagged: true,
  storeUse: 'reads',
  summary: 'One resource of a record',
  response: FhirResource,
  refusals: {
    ...refusals,
    409: 'Several patients have different resources of this type and id: read `Person/{patientId}/{resourceType}/{resourceId}`',
  },
});

export const readResourceOfPerson = defineEndpoint({
  ...read,
  path: '/FHIR/R4/Person/{patientId}/{resourceType}/{resourceId}',
  name: 'readResourceOfPerson',
  tagged: true,
  storeUse: 'reads',
  summary: "One resource of one patient's record",
  response: FhirResource,
  refusals,
});

export const getCapabilityStatement = defineEndpoint({
  ...open,
  audience: ['anyone'],
  cors: true,
  path: '/FHIR/R4/metadata',
  name: 'getCapabilityStatement',
  tagged: true,
  summary: 'The capabilities of this FHIR server (https://hl7.org/fhir/R4/capabilitystatement.html)',
  headers: read.headers,
  response: FhirResource,
  refusals: {
    400: 'A parameter is not supported, and `Prefer: handling=strict` asks for that',
    406: 'Only FHIR JSON is served',
  },
});
