import { z } from 'zod';
import { wholeNumber } from '../whole-number.ts';
import { ResourceScope } from '../data-categories.ts';
import { defineEndpoint } from '../endpoint.ts';

/** One action on a patient's record or consent; never a value of the record. */
export const AccessLogEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    action: z.string().describe('mcp.tools_call, consent.recorded, consent.evidence_viewed, …'),
    outcome: z.enum(['success', 'refused', 'failed']),
    actor: z.object({
      kind: z.enum(['patient', 'admin', 'researcher', 'developer', 'member', 'system']),
      id: z.string(),
    }),
    client: z
      .object({
        id: z.string().describe('OAuth client id; direct: a token of POST /v1/auth/token'),
        name: z.string().nullable().describe('As the client calls itself'),
        appId: z
          .string()
          .nullable()
          .describe('The app of `…/clients` that it connected as; null: none, as of `direct`'),
      })
      .nullable(),
    organization: z.object({ id: z.string(), name: z.string() }),
    project: z.object({ id: z.string(), name: z.string() }).nullable(),
    consentRecordId: z.string().nullable(),
    tool: z.string().nullable(),
    categories: z.array(ResourceScope).describe('The categories of what was read'),
    notShared: z
      .array(ResourceScope)
      .describe('The categories that were asked for and that the consent leaves out'),
    types: z
      .array(z.string().max(64))
      .describe('The FHIR resource types that were requested; empty: all types, or not read as FHIR'),
    entries: z.int().nullable().describe('The number of entries that were read'),
    whole: z.boolean().describe('The whole visible record, in one answer'),
    counted: z.boolean().describe('Only how much there is was shown, and nothing of it was read'),
    from: z.iso.date().nullable(),
    until: z.iso.date().nullable(),
    reason: z.string().nullable().describe('The reason of a refusal'),
  })
  .meta({ id: 'AccessLogEntry' });
export type AccessLogEntry = z.infer<typeof AccessLogEntry>;

/** Newest first; `before` is the id of the last entry of the previous page. */
export const AccessLogQuery = z.object({
  limit: wholeNumber(1, 1000).prefault(100),
  before: z.uuid().optional(),
});

const AccessLog = z.object({
  results: z.array(AccessLogEntry),
  next: z.string().nullable().describe('`before` of the next page; null on the last'),
  keptMonths: z
    .int()
    .nullable()
    .describe('For how many months entries are kept at least; null: for good, so this is all there ever was'),
});

export const getAccessLog = defineEndpoint({
  method: 'GET',
  path: '/v1/patients/{patientId}/access-log',
  name: 'getAccessLog',
  summary:
    "Every access to a patient's record: who read what, when, with which client and under which consent record; for an admin, that of their own organization",
  tag: 'Audit',
  audience: ['organization', 'patient'],
  permission: 'audit.read',
  query: AccessLogQuery,
  response: AccessLog,
  refusals: {
    403: "Another patient, one who never took part in a project of the caller's organization, or nobody",
  },
});

export const getMyAccessLog = defineEndpoint({
  method: 'GET',
  path: '/account/access-log',
  name: 'getMyAccessLog',
  summary: "Every access to the signed-in person's record",
  tag: 'Consent page',
  audience: ['patient-session'],
  page: true,
  query: AccessLogQuery,
  response: AccessLog,
});

export const getMyAuditProof = defineEndpoint({
  method: 'GET',
  path: '/account/access-log/proof',
  name: 'getMyAuditProof',
  summary:
    "The person's entries of the audit log with their proof: Merkle inclusion (RFC 9162) in blocks whose checkpoints are signed; `chartgate audit verify FILE` checks it",
  tag: 'Consent page',
  audience: ['patient-session'],
  page: true,
  produces: 'application/x-ndjson',
  response: z.string(),
});
