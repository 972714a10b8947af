import { z } from 'zod';
import { wholeNumber } from '../whole-number.ts';
import { ConsentType } from '../account/consent.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BatchId, ConsentRecordId, EventId, OrganizationId, PatientId, ProjectId } from '../brands.ts';
import { Instant } from '../instant.ts';

/** Single-value fields of events may get further values without a new `apiVersion`. */
const openEnumNote = 'further values may come';
export const openEnum = (values: readonly string[]) =>
  z.string().describe(`${values.join(', ')}; ${openEnumNote}`);
const scopeList = z.array(z.string()).nullable().describe(`null: not narrowed; ${openEnumNote}`);

const scopes = {
  fullRecordWithoutRestrictedData: z.boolean(),
  consentDataResourceScopes: scopeList,
  consentDataSensitivityScopes: scopeList,
};
const parts = z
  .array(z.object({ ...scopes, expirationTimestamp: z.iso.datetime() }))
  .optional()
  .describe(
    'Where the consent has several parts, each with its end: the lists beside it name what any part has. What is shared is what one part covers, until its end',
  );
const subject = { patientId: PatientId, consentType: openEnum(ConsentType.options) };

const exampleSubject = {
  patientId: '0190c2a4-5a3e-7c59-b1c4-2f1d6a9be001',
  consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
};
const exampleScopes = {
  fullRecordWithoutRestrictedData: true,
  consentDataResourceScopes: null,
  consentDataSensitivityScopes: null,
};
const exampleRecordId = '0190c2a4-5a3e-7c59-b1c4-2f1d6a9be002';

/** Every type of event: when it is emitted, what `data` holds, and an example of that. */
export const EVENT_TYPES = {
  'consent.granted': {
    description: 'A patient consents, renews a consent, or narrows it',
    data: z.object({
      ...subject,
      consentRecordId: ConsentRecordId,
      grantedAt: z.iso.datetime(),
      expirationTimestamp: z.iso.datetime(),
      ...scopes,
      parts,
    }),
    example: {
      ...exampleSubject,
      consentRecordId: exampleRecordId,
      grantedAt: '2026-11-20T09:30:00.000Z',
      expirationTimestamp: '2027-11-20T09:30:00.000Z',
      ...exampleScopes,
    },
  },
  'consent.withdrawn': {
    description: 'A patient withdraws a consent; nothing may be read under it from then on',
    data: z.object({
      ...subject,
      withdrawnAt: z.iso.datetime(),
      ...scopes,
      parts,
      withdrawalSource: openEnum(['PATIENT', 'ORGANIZATION']),
      effectiveImmediately: z.boolean(),
    }),
    example: {
      ...exampleSubject,
      withdrawnAt: '2026-11-20T09:30:00.000Z',
      ...exampleScopes,
      withdrawalSource: 'PATIENT',
      effectiveImmediately: true,
    },
  },
  'consent.expired': {
    description: 'A consent has reached its end; nothing may be read under it from then on',
    data: z.object({
      ...subject,
      consentRecordId: ConsentRecordId,
      expiredAt: z.iso.datetime(),
      ...scopes,
      parts,
    }),
    example: {
      ...exampleSubject,
      consentRecordId: exampleRecordId,
      expiredAt: '2026-11-20T09:30:00.000Z',
      ...exampleScopes,
    },
  },
  'records.updated': {
    description:
      'What a patient shares of their record has new or changed content, or some of it is not shown any more',
    data: z.object({
      patientId: PatientId,
      updatedAt: z.iso.datetime().describe('`_since` of $everything may be set to the previous one'),
      batchId: BatchId.optional().describe(
        'The upload, or what a connected server sent, that changed it or was taken out; absent where none did',
      ),
      source: openEnum(['UPLOAD', 'CONNECTED_SOURCE', 'CLASSIFICATION', 'ACCOUNT']).describe(
        `CLASSIFICATION: what is in the record is classified otherwise, or can be shown again after a removal; ACCOUNT: what the Person shows was corrected; ${openEnumNote}`,
      ),
      removed: z
        .literal(true)
        .optional()
        .describe(
          'Something that you could read is not shown any more: it was taken out, or is more private now. Read the record anew and delete what is gone, since `_since` does not list that',
        ),
    }),
    example: {
      patientId: exampleSubject.patientId,
      updatedAt: '2026-11-20T09:30:00.000Z',
      batchId: '0190c2a4-5a3e-7c59-b1c4-2f1d6a9be003',
      source: 'UPLOAD',
    },
  },
  'webhook.test': {
    description:
      'The organization tests a webhook; sent to that endpoint, whatever it subscribes to, and while it is paused too',
    data: z.object({ nonce: z.string() }),
    example: { nonce: 'Qm9sZHR5cGUgbm9uY2U' },
  },
} as const;

export const EventType = z.enum(Object.keys(EVENT_TYPES) as [keyof typeof EVENT_TYPES]);
export type EventType = z.infer<typeof EventType>;

export const EVENT_API_VERSION = 1;

/** The body of a delivery. */
export const buildEnvelopeSchema = (type: EventType, data: z.ZodType) =>
  z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime().describe('When it happened; the same on every attempt'),
    apiVersion: z.literal(EVENT_API_VERSION),
    deliveryAttempt: z.int().min(1).describe('1 on the first attempt; not an idempotency key'),
    organizationId: OrganizationId,
    projectId: ProjectId,
    data,
  });

export const buildExampleEnvelope = (type: EventType) => ({
  type,
  timestamp: '2026-11-20T09:30:00.000Z',
  apiVersion: EVENT_API_VERSION,
  deliveryAttempt: 1,
  organizationId: '0190c2a4-5a3e-7c59-b1c4-2f1d6a9be004',
  projectId: '0190c2a4-5a3e-7c59-b1c4-2f1d6a9be005',
  data: EVENT_TYPES[type].example,
});

/** An event, without its deliveries. */
export const WebhookEvent = z
  .object({
    id: EventId.describe('The webhook-id of its deliveries'),
    type: z.string(),
    timestamp: z.iso.datetime(),
    apiVersion: z.literal(EVENT_API_VERSION),
    organizationId: OrganizationId,
    projectId: ProjectId,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'WebhookEvent' });

const tag = 'Webhooks';

export const listWebhookEventTypes = defineEndpoint({
  method: 'GET',
  path: '/v1/webhook-event-types',
  name: 'listWebhookEventTypes',
  summary: 'Every type of event, with the JSON Schema of its body and an example',
  tag,
  audience: ['anyone'],
  cors: true,
  response: z.object({
    results: z.array(
      z.object({
        type: EventType,
        description: z.string(),
        schema: z.record(z.string(), z.unknown()).describe('JSON Schema 2020-12 of the whole body'),
        example: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
});

export const listWebhookEvents = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/webhook-events',
  name: 'listWebhookEvents',
  summary:
    'Every event that is kept, oldest first, delivered or not, so that receivers can find what they missed',
  tag,
  audience: ['organization'],
  permission: 'webhooks.read',
  query: z.object({
    since: Instant.optional().describe('Emitted at this time or later'),
    until: Instant.optional().describe('Emitted before this time'),
    after: EventId.optional().describe('`next` of the previous page'),
    type: EventType.optional(),
    projectId: ProjectId.optional(),
    limit: wholeNumber(1, 1000).prefault(100),
  }),
  response: z.object({ results: z.array(WebhookEvent), next: EventId.nullable() }),
});
