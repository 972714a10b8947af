import { z } from 'zod';
import { wholeNumber } from '../whole-number.ts';
import { AccessLogEntry, AccessLogQuery } from '../account/access-log.ts';
import { CLIENT_FILTER, ClientAppId, PatientId, ProjectId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Instant } from '../instant.ts';
import { acceptSeveral } from '../several.ts';

export const ActorKind = z.enum(['patient', 'admin', 'researcher', 'developer', 'member', 'system']);

const Outcome = z.enum(['success', 'refused', 'failed']);

/** Each value is a range of an index that is read by itself. */
const MAX_ACTIONS = 10;
const MAX_TOOLS = 12;

/** What a list of the log may be narrowed to, beside its action. */
const filters = {
  projectId: ProjectId.optional(),
  patientId: PatientId.optional(),
  client: z.string().min(1).max(2048).optional().describe(`${CLIENT_FILTER}; or \`direct\``),
  outcome: acceptSeveral(Outcome).optional(),
  since: Instant.optional().describe('At this time or later'),
  until: Instant.optional().describe('Before this time'),
};

const AuditFilter = z.object({
  ...filters,
  actorKind: acceptSeveral(ActorKind).optional(),
  actorId: z.string().min(1).max(200).optional(),
  action: acceptSeveral(z.string().min(1).max(100), MAX_ACTIONS).optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

export const AuditEvent = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    action: z.string(),
    outcome: Outcome,
    actor: z.object({
      kind: z.string(),
      id: z.string(),
      name: z.string().nullable().describe('Of a member, also of one who was removed'),
    }),
    client: z.string().nullable(),
    projectId: z.string().nullable(),
    patientId: z.string().nullable(),
    consentRecordId: z.string().nullable(),
    target: z
      .object({
        kind: z.enum(['api_key', 'client', 'member', 'project', 'source', 'webhook']),
        name: z.string(),
      })
      .nullable()
      .describe(
        'What it was done to, by its present name: of a webhook its host; null: something else, or deleted',
      ),
    detail: z.record(z.string(), z.unknown()),
    block: z.int().nullable().describe('The block of the hash chain; null until the entry is sealed'),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.infer<typeof AuditEvent>;

const tag = 'Audit';
const path = '/v1/organizations/{orgId}';
const next = z.string().nullable().describe('`before` of the next page; null on the last');

export const listAuditEvents = defineEndpoint({
  method: 'GET',
  path: `${path}/audit-events`,
  name: 'listAuditEvents',
  summary:
    "The organization's audit log, newest first. Narrowed to one patient, that patient sees in their own log that somebody looked",
  tag,
  audience: ['organization'],
  permission: 'audit.read',
  query: AccessLogQuery.extend(AuditFilter.shape),
  response: z.object({ results: z.array(AuditEvent), next }),
});

export const exportAuditEvents = defineEndpoint({
  method: 'GET',
  path: `${path}/audit-events/export`,
  name: 'exportAuditEvents',
  summary:
    "The entries of a filter, oldest first: as NDJSON with their proofs (Merkle inclusion, RFC 9162), which `chartgate audit verify FILE` checks offline, or as CSV. The export is itself an entry of the log; narrowed to one patient, of that patient's own too",
  tag,
  audience: ['organization'],
  permission: 'audit.export',
  presence: true,
  query: AuditFilter.extend({ format: z.enum(['ndjson', 'csv']).default('ndjson') }),
  produces: 'application/x-ndjson',
  response: z.string(),
  alternatives: { 'text/csv': z.string() },
});

const Verification = z
  .object({
    at: z.iso.datetime(),
    block: z.int().describe('The newest block that was checked; 0: none'),
    entries: z.int().describe('The entries in blocks that were checked so far'),
    fault: z
      .object({
        what: z.string(),
        block: z.int().nullable(),
        entryId: z.string().nullable(),
        detail: z.string(),
      })
      .nullable()
      .describe('null: the log is as it was written'),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerification = z.infer<typeof Verification>;

export const listAuditCheckpoints = defineEndpoint({
  method: 'GET',
  path: `${path}/audit/checkpoints`,
  name: 'listAuditCheckpoints',
  summary:
    "The signed checkpoints of the organization's log, newest first, and what its last verification found. One that is kept elsewhere shows later that nothing before it was changed or cut off",
  tag,
  audience: ['organization'],
  permission: 'audit.read',
  query: z.object({
    limit: wholeNumber(1, 1000).prefault(100),
    before: wholeNumber(1).optional().describe('Blocks older than this one'),
  }),
  response: z.object({
    verification: Verification.nullable().describe('null: it was not verified yet'),
    results: z.array(
      z.object({
        block: z.int(),
        entries: z.int(),
        sealedAt: z.iso.datetime(),
        checkpoint: z.string().describe('A compact JWS (ES256)'),
      }),
    ),
    next: z.int().nullable().describe('`before` of the next page; null on the last'),
  }),
});

/** One read of a record, as the organization that it was made under sees it. */
const RecordRead = AccessLogEntry.omit({ organization: true }).extend({ patientId: z.string().nullable() });
export type RecordRead = z.infer<typeof RecordRead>;

export const READ_ACTIONS = [
  'mcp.tools_call',
  'fhir.everything',
  'fhir.everything_ended',
  'fhir.read',
] as const;

export const listAccessLog = defineEndpoint({
  method: 'GET',
  path: `${path}/access-log`,
  name: 'listAccessLog',
  summary:
    'Every read of a record under the organization, refused ones too, newest first. With `patientId`, the patient sees in their own log that somebody looked',
  tag,
  audience: ['organization'],
  permission: 'audit.read',
  query: AccessLogQuery.extend({
    ...filters,
    appId: ClientAppId.optional().describe('An app of `…/clients`: every client that connected under it'),
    tool: acceptSeveral(z.string().min(1).max(100), MAX_TOOLS)
      .optional()
      .describe('A tool of MCP; others are not tool calls'),
    action: acceptSeveral(z.enum(READ_ACTIONS)).optional(),
    reason: acceptSeveral(
      z.enum(['access_revoked', 'forbidden', 'not_found', 'multiple_matches', 'traversal_expired']),
    )
      .optional()
      .describe(
        'Of refused reads alone: access_revoked, where no consent was in force, after a withdrawal too; not_found, where what was named is not there or is left out by the consent, which are one answer',
      ),
  }),
  response: z.object({ results: z.array(RecordRead), next }),
});
