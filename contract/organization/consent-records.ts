import { z } from 'zod';
import { ConsentStatus, ConsentType } from '../account/consent.ts';
import { ClientGrant, ConsentParts, ResourceScope, SensitivityScope } from '../data-categories.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ConsentRecordId, PatientId, ProjectId, ScreenshotId } from '../brands.ts';
import { PageQuery } from '../page-query.ts';
import { projectRefusals } from './projects.ts';

const END = 'When what is permitted ends; of an `OPTED_OUT`, which permits nothing, the time of the decision';

/** A decision, its exact time, and what the patient saw; immutable. */
export const ConsentRecord = z
  .object({
    healthcareOrganizationId: z.string(),
    id: ConsentRecordId,
    timestamp: z.iso.datetime(),
    patientId: PatientId,
    studyId: ProjectId,
    consentType: ConsentType,
    consentStatus: ConsentStatus,
    expirationTimestamp: z.iso.datetime().describe(END),
    consentStats: z.object({
      sessionLength: z.number().describe('Seconds from the request to the decision'),
      interactions: z.array(
        z.object({ screen: z.string(), action: z.string(), at: z.iso.datetime({ offset: true }) }),
      ),
    }),
    studySnapshotId: z.string().describe("The version of the project's content that the patient saw"),
    consentConfigSnapshotId: z.string().nullable(),
    consentUIFlow: z
      .string()
      .describe(
        'The set of screens that the patient saw: `PATIENT_DIRECTED_DATA_EXCHANGE` (asked by an app), `PER_STUDY_PRESCREEN` (the page of an invitation), `API` (test patients), `MY_DATA_WITHDRAWAL`, `MY_DATA_NARROWING` and `MY_DATA_DELETION` (their own page), `ENROLLMENT_ENDED` (by the organization); more may come',
      ),
    uiHash: z.string().describe('The version of the page that the patient saw'),
    fullRecordWithoutRestrictedData: z.boolean(),
    consentDataResourceScopes: z.array(ResourceScope).nullable(),
    consentDataSensitivityScopes: z.array(SensitivityScope).nullable(),
    language: z.string().nullable().describe('The language of the page'),
    clientId: z.string().nullable().describe('The OAuth client that requested access'),
    clientName: z.string().nullable(),
    representative: z
      .object({ name: z.string(), authority: z.string() })
      .nullable()
      .describe('The person who signed for the patient'),
    grant: ClientGrant.nullable().describe(
      'What the client gets, where it is less than the consent covers or ends sooner; null: all of it, or no client',
    ),
    parts: ConsentParts,
  })
  .meta({ id: 'ConsentRecord' });
export type ConsentRecord = z.infer<typeof ConsentRecord>;

export const Screenshot = z
  .object({ id: ScreenshotId, data: z.string().describe('base64'), contentType: z.string() })
  .meta({ id: 'Screenshot' });

/** The decisions in force, by consent type and study. */
export const ConsentSummary = z
  .object({
    healthcareOrganizationId: z.string(),
    patientId: PatientId,
    consents: z.array(
      z.object({
        consentType: ConsentType,
        studyId: ProjectId,
        hasPatientConsented: z.boolean(),
        source: z
          .string()
          .describe('What the answer derives from: `STUDY`, a decision about one; more may come'),
        consentRecordId: ConsentRecordId,
        expirationTimestamp: z.iso.datetime().describe(END),
      }),
    ),
  })
  .meta({ id: 'ConsentSummary' });
export type ConsentSummary = z.infer<typeof ConsentSummary>;

const tag = 'Consent records';

/** Whoever asks does not learn which records there are elsewhere. */
export const recordRefusals = {
  403: "There is no such record, or it is neither the caller's own nor of the caller's organization and projects",
} as const;

export const getConsentRecord = defineEndpoint({
  method: 'GET',
  path: '/v1/consents/{consentRecordId}',
  name: 'getConsentRecord',
  summary: 'One consent record',
  tag,
  audience: ['organization', 'patient'],
  permission: 'consents.read',
  response: ConsentRecord,
  refusals: recordRefusals,
});

export const listConsentRecords = defineEndpoint({
  method: 'GET',
  path: '/v1/patients/consents',
  name: 'listConsentRecords',
  summary:
    "A patient's consent records with their screenshots, newest first. Exactly one of email, phone, patientId and externalId; If-Modified-Since (a date of HTTP, RFC 2822 or ISO 8601) leaves out older records",
  tag,
  audience: ['organization', 'patient'],
  permission: 'consents.read',
  // It is streamed, with pictures.
  tagged: false,
  query: PageQuery.extend({
    email: z.string().min(1).max(320).optional(),
    phone: z.string().min(1).max(50).optional(),
    patientId: PatientId.optional(),
    externalId: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("The id of the patient in the caller's system"),
  }),
  headers: {
    'If-Modified-Since':
      'Leaves out records that are not newer: a date of HTTP or of RFC 2822, or ISO 8601 with the precision of milliseconds',
  },
  response: z.object({
    total: z.int().describe("The number of the patient's records"),
    results: z.array(z.object({ consentRecord: ConsentRecord, screenshots: z.array(Screenshot) })),
  }),
  refusals: {
    400: 'Not exactly one identifier, or a malformed If-Modified-Since',
    403: "The patient never consented to the caller's organization, does not exist, or is not the caller",
    409: 'Several patients have this identifier (a shared telephone number)',
  },
});

/** What is known of a screenshot without its picture. */
export const ListedScreenshot = z.object({
  id: ScreenshotId,
  contentType: z.string(),
  screen: z.string(),
  takenAt: z.iso.datetime(),
});

export const listScreenshots = defineEndpoint({
  method: 'GET',
  path: '/v1/consents/{consentRecordId}/screenshots',
  name: 'listScreenshots',
  summary: 'The screenshots of what the patient saw, in order',
  tag,
  audience: ['organization', 'patient'],
  permission: 'evidence.read',
  response: z.object({
    screenshots: z.array(ListedScreenshot),
  }),
  refusals: recordRefusals,
});

export const getScreenshot = defineEndpoint({
  method: 'GET',
  path: '/v1/consents/{consentRecordId}/screenshots/{screenshotId}',
  name: 'getScreenshot',
  summary: 'One screenshot, as an image',
  tag,
  audience: ['organization', 'patient'],
  permission: 'evidence.read',
  produces: 'image/png',
  response: z.string().meta({ format: 'binary' }),
  refusals: { ...recordRefusals, 404: 'The record has no such screenshot' },
});

export const getReceipt = defineEndpoint({
  method: 'GET',
  path: '/v1/consents/{consentRecordId}/receipt',
  name: 'getReceipt',
  summary:
    'The signed consent receipt (JWS, ISO/IEC TS 27560): `{receipt}` for Accept: application/json, else the JWS itself as application/jose',
  tag,
  audience: ['organization', 'patient'],
  permission: 'consents.read',
  produces: 'application/jose',
  response: z.string().describe('Compact JWS'),
  alternatives: { 'application/json': z.object({ receipt: z.string().describe('Compact JWS') }) },
  refusals: recordRefusals,
});

export const getConsentSummary = defineEndpoint({
  method: 'GET',
  path: '/v1/patients/{patientId}/consents',
  name: 'getConsentSummary',
  summary: "A patient's consents that are in force, within the caller's organization",
  tag,
  audience: ['organization', 'patient'],
  permission: 'consents.read',
  response: ConsentSummary,
  refusals: {
    403: "The patient never consented to the caller's organization, does not exist, or is not the caller",
  },
});

export const listConsentSummaries = defineEndpoint({
  method: 'GET',
  path: '/v1/projects/{projectId}/consents',
  name: 'listConsentSummaries',
  summary:
    'The newest decisions of the patients of a project, those who have deleted their account since included',
  tag,
  audience: ['organization'],
  permission: 'consents.read',
  query: PageQuery,
  response: z.object({ total: z.int(), results: z.array(ConsentSummary) }),
  refusals: projectRefusals,
});

export const getConsentedDataScopes = defineEndpoint({
  method: 'GET',
  path: '/v1/patients/{patientId}/consented-data-scopes/study/{studyId}',
  name: 'getConsentedDataScopes',
  summary:
    'The categories and classes that a patient shares with a study now; none after withdrawal or expiry',
  tag,
  audience: ['organization', 'patient'],
  permission: 'consents.read',
  response: z.object({
    consentDataScopes: z.array(
      z.object({
        resourceScope: ResourceScope,
        sensitivityScope: SensitivityScope,
        consentRecordIds: z.array(ConsentRecordId),
      }),
    ),
    fullRecordWithoutRestrictedData: z.boolean(),
  }),
  refusals: {
    403: "The patient never consented to the caller's organization, does not exist, or is not the caller; wrong_project: there is no such study, or it is another organization's",
    404: "There is no such study: the answer to a patient's own token",
  },
});
