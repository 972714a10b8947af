import { z } from 'zod';
import { wholeNumber } from '../whole-number.ts';
import { ConsentStatus, ConsentType } from '../account/consent.ts';
import { DecisionKind } from '../account/my-receipts.ts';
import { CLIENT_FILTER, ConsentRecordId, PatientId, ProjectId } from '../brands.ts';
import { CalendarDay } from '../calendar-day.ts';
import { ConsentParts, ConsentScopes, ResourceScope, RestrictedScope } from '../data-categories.ts';
import { DayOrInstant, FROM_DAY, TO_DAY } from '../day-or-instant.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Instant } from '../instant.ts';
import { ConsentRecord, ListedScreenshot, recordRefusals } from './consent-records.ts';
import { acceptSeveral } from '../several.ts';

/** What has become of a decision. */
export const DecisionState = z
  .enum(['in_force', 'expired', 'opted_out', 'replaced'])
  .meta({ id: 'DecisionState' })
  .describe(
    'in_force: it permits reading now; expired: a yes whose time has ended; opted_out: a no, the newest; replaced: there is a newer decision on the same consent',
  );
export type DecisionState = z.infer<typeof DecisionState>;

/** A decision as a row of a list. */
export const OrganizationConsent = ConsentScopes.extend({
  id: ConsentRecordId,
  timestamp: z.iso.datetime(),
  patient: z.object({
    id: PatientId,
    firstName: z
      .string()
      .nullable()
      .describe(
        'As the organization wrote it; null: the person came by an app, is enrolled in the project no more, or deleted',
      ),
    lastName: z.string().nullable(),
    isDeleted: z.boolean().describe('The patient has deleted the account; the record is the evidence'),
  }),
  project: z.object({ id: ProjectId, name: z.string() }),
  consentType: ConsentType,
  consentStatus: ConsentStatus,
  decision: DecisionKind,
  state: DecisionState,
  expirationTimestamp: z.iso.datetime(),
  parts: ConsentParts,
  clientId: z.string().nullable(),
  clientName: z.string().nullable(),
  language: z.string().nullable(),
  consentUIFlow: z.string(),
  uiHash: z.string(),
  studySnapshotId: z.string(),
  version: z
    .int()
    .nullable()
    .describe("The number of that version of the project's content; null: it is not stored"),
  screenshots: z.int().describe('The number of stored screenshots'),
}).meta({ id: 'OrganizationConsent' });
export type OrganizationConsent = z.infer<typeof OrganizationConsent>;

const shared = { tag: 'Consent records', audience: ['organization'], permission: 'consents.read' } as const;

export const listOrganizationConsents = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/v1/organizations/{orgId}/consent-records',
  name: 'listOrganizationConsents',
  summary:
    'The decisions of all patients, newest first: those that were replaced or withdrawn, and those of patients who have deleted their account since, included. With `Accept: text/csv` or `application/x-ndjson` all that the filters find, from `after` on, in one answer; `limit` is of pages alone',
  query: z.object({
    projectId: ProjectId.optional(),
    patientId: PatientId.optional(),
    type: acceptSeveral(ConsentType).optional(),
    decision: acceptSeveral(DecisionKind).optional(),
    state: acceptSeveral(DecisionState).optional(),
    since: Instant.optional().describe('Decided then or later'),
    until: Instant.optional().describe('Decided before'),
    language: z.string().min(1).max(35).optional(),
    client: z.string().min(1).max(2000).optional().describe(CLIENT_FILTER),
    endsWithin: wholeNumber(1, 366).optional().describe('In force, and ends within so many days'),
    version: z.string().min(1).max(36).optional().describe('A `studySnapshotId`'),
    withoutPictures: z.literal('true').optional().describe('No screenshot is stored of it'),
    shares: acceptSeveral(RestrictedScope)
      .optional()
      .describe(
        'A yes that covers one of these protected classes; of one in force, by a part that has not ended',
      ),
    flow: acceptSeveral(z.string().min(1).max(100))
      .optional()
      .describe('A `consentUIFlow`: the page it was made on'),
    uiHash: acceptSeveral(z.string().min(1).max(100))
      .optional()
      .describe('A version of the page, as `…/consent-page-versions` lists them'),
    after: ConsentRecordId.optional().describe('`next` of the previous page'),
    limit: wholeNumber(1, 200).prefault(50),
  }),
  response: z.object({ results: z.array(OrganizationConsent), next: ConsentRecordId.nullable() }),
  alternatives: {
    'text/csv': z.string().describe('A line of names, then a decision on each; `parts` as JSON'),
    'application/x-ndjson': z.string().describe('A decision on each line, as in `results`'),
  },
  refusals: { 400: '`after` is no record of the organization' },
});

/** A version of the consent page that decisions were made on. */
export const ConsentPageVersion = z
  .object({
    uiHash: z.string(),
    firstUsedAt: z.iso.datetime().describe('When the first decision was made on it'),
    lastUsedAt: z.iso.datetime(),
    exampleId: ConsentRecordId.describe('A decision that shows it: of the newest ones, one with screenshots'),
    consentUIFlow: z.string().describe('That of the example'),
  })
  .meta({ id: 'ConsentPageVersion' });
export type ConsentPageVersion = z.infer<typeof ConsentPageVersion>;

export const listConsentPageVersions = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/v1/organizations/{orgId}/consent-page-versions',
  name: 'listConsentPageVersions',
  summary: 'The versions of the pages that decisions were made on, the last used first',
  query: z.object({
    projectId: ProjectId.optional(),
    limit: wholeNumber(1, 200).prefault(50).describe('Older ones are not listed'),
  }),
  response: z.object({ results: z.array(ConsentPageVersion) }),
});

/** Why a consent was withdrawn, by the page it was done on. */
export const WithdrawalReason = z
  .enum(['patient', 'asked_again', 'account_deleted', 'enrollment_ended'])
  .meta({ id: 'WithdrawalReason' })
  .describe(
    'patient: on their own page, or by API; asked_again: a no where the organization asked again; account_deleted: with the account; enrollment_ended: by the organization',
  );
export type WithdrawalReason = z.infer<typeof WithdrawalReason>;

/** The upper bounds, in days, of the ages of withdrawn consents; null: older. */
export const AGE_BOUNDS_DAYS = [1, 7, 30, 90, 365, null] as const;

/** The upper bounds, in seconds, of the times until a decision; null: longer. */
export const TIME_BOUNDS_SECONDS = [30, 60, 120, 300, 600, null] as const;

const count = z.int();

export const ConsentStats = z
  .object({
    from: CalendarDay,
    to: CalendarDay.describe('The last day, inclusive'),
    bucket: z.enum(['day', 'week', 'month']),
    zone: z.string().describe('The time zone of the days'),
    buckets: z.array(
      z.object({
        start: CalendarDay.describe('Its first day; weeks begin on Mondays'),
        given: count.describe('Consents where none was in force'),
        changed: count.describe('Decisions that replaced a consent in force by another'),
        refused: count.describe('A no where nothing was in force'),
        withdrawn: count.describe('By the patient'),
        ended: count.describe('By time, or by the organization with the enrollment'),
        inForce: count.describe('At its end, or now: the one before, and given, less withdrawn and ended'),
      }),
    ),
    inForce: count.describe('Now: one for each patient, project and type of consent'),
    reading: count.describe(
      'Those in force now by which somebody may read: all but `FUTURE_DATA_USE`, which lets nobody read',
    ),
    shared: z
      .array(z.object({ category: ResourceScope, consents: count }))
      .describe('How many of `reading` include each category'),
    withdrawals: z
      .object({
        total: count,
        reasons: z.array(z.object({ reason: WithdrawalReason, count })),
        ages: z
          .array(z.object({ withinDays: z.int().nullable(), count }))
          .describe('How old the consents were, counted from when they were first given; null: older'),
      })
      .describe('From `from` to `to`, those by the organization included'),
    timeToDecide: z
      .object({
        decisions: count,
        medianSeconds: z.number().nullable(),
        p90Seconds: z.number().nullable(),
        times: z.array(z.object({ withinSeconds: z.int().nullable(), count })),
      })
      .describe('On the consent page, from the request to the decision'),
  })
  .meta({ id: 'ConsentStats' });
export type ConsentStats = z.infer<typeof ConsentStats>;

/** Of every size: a day each for somewhat more than a year. */
export const MAX_STATS_BUCKETS = 400;

/** The 90 days before the first days that there are would be no days. */
const StatsBound = DayOrInstant.refine((bound) => bound >= '1900', 'must not be before 1900');

export const getConsentStats = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/v1/organizations/{orgId}/consent-stats',
  name: 'getConsentStats',
  summary:
    'Consents over time, what is shared, and how people decide; those of test patients are counted too',
  query: z.object({
    from: StatsBound.optional().describe(`${FROM_DAY}; 90 days before \`to\` by default`),
    to: StatsBound.optional().describe(`${TO_DAY}; today by default`),
    bucket: z.enum(['day', 'week', 'month']).default('day'),
    projectId: ProjectId.optional(),
  }),
  response: ConsentStats,
  refusals: { 400: `The days are in the wrong order, or make more than ${MAX_STATS_BUCKETS} buckets` },
});

/** How many decisions of the patient an opened one comes with. */
export const MAX_OPENED_WITH = 50;

export const openConsentRecord = defineEndpoint({
  ...shared,
  permission: 'evidence.read',
  method: 'GET',
  path: '/v1/organizations/{orgId}/consent-records/{consentRecordId}',
  name: 'openConsentRecord',
  summary:
    "One decision with all that is looked at of it: record, receipt, screenshots, and the patient's newest decisions. One entry of the patient's log, where each of the endpoints for the parts writes its own",
  response: z.object({
    record: ConsentRecord,
    receipt: z.string().describe('Compact JWS'),
    screenshots: z.array(
      ListedScreenshot.extend({ data: z.string().nullable().describe('base64; null: it cannot be read') }),
    ),
    decisions: z
      .array(OrganizationConsent)
      .describe(`The newest ${MAX_OPENED_WITH} that the caller may see, newest first`),
  }),
  refusals: recordRefusals,
});

export const exportEvidence = defineEndpoint({
  tag: 'Consent records',
  audience: ['organization'],
  permission: 'evidence.read',
  presence: true,
  method: 'GET',
  path: '/v1/consents/{consentRecordId}/evidence',
  name: 'exportEvidence',
  summary:
    'The evidence of a decision as one ZIP: record, receipt, screenshots, the words the patient read, the entries of the audit log with their proofs, the keys that verify all of it, and a page that shows it in any browser',
  produces: 'application/zip',
  response: z.string().meta({ format: 'binary' }),
  refusals: recordRefusals,
});
