import { z } from 'zod';
import { ConsentDataResourceScopes, ConsentDataSensitivityScopes } from '../data-categories.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ConsentRecordId, ProjectId } from '../brands.ts';
import { Instant } from '../instant.ts';

/** Open: further values may come without a new version. */
export const ConsentType = z.enum([
  'PATIENT_DIRECTED_DATA_EXCHANGE',
  'DATA_AUTHORIZATION',
  'FUTURE_DATA_USE',
]);
export type ConsentType = z.infer<typeof ConsentType>;

/** The title that patients read, by language; null: there is none in it. */
export const ConsentTitles = z
  .object({ en: z.string().nullable(), es: z.string().nullable() })
  .meta({ id: 'ConsentTitles' })
  .describe(
    'As the person read it, in the version that they decided on (the newest, where that had no words yet); null: not in this language',
  );
export type ConsentTitles = z.infer<typeof ConsentTitles>;

/** A consent in force by which an organization reads the record of the person who is signed in. */
export const ReadingConsent = z
  .object({
    consentType: ConsentType,
    project: z.object({ id: ProjectId, name: z.string(), titles: ConsentTitles }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'ReadingConsent' });
export type ReadingConsent = z.infer<typeof ReadingConsent>;

export const ConsentStatus = z.enum(['OPTED_IN', 'OPTED_OUT']);
export type ConsentStatus = z.infer<typeof ConsentStatus>;

export const decideTestPatientConsent = defineEndpoint({
  method: 'POST',
  path: '/v1/projects/{projectId}/test-patients/{patientId}/consent',
  name: 'decideTestPatientConsent',
  summary: "Records a test patient's consent, or its withdrawal, without the consent page",
  tag: 'Consent',
  audience: ['patient'],
  closedBody: true,
  body: z.object({
    consentStatus: ConsentStatus,
    consentType: ConsentType.default('PATIENT_DIRECTED_DATA_EXCHANGE'),
    expirationTimestamp: Instant.optional().describe(
      'Not past, and at most one year ahead; one year when absent',
    ),
    consentDataResourceScopes: ConsentDataResourceScopes.default(null),
    consentDataSensitivityScopes: ConsentDataSensitivityScopes.default(null).describe(
      "null: everything; a test patient's record is synthetic, so nothing in it is restricted unless classes are named",
    ),
  }),
  status: 201,
  response: z.object({ consentRecordId: ConsentRecordId }),
  refusals: {
    403: 'Another patient, another project, not enrolled, or not a test patient',
    507: 'The disk of the store has no space for a consent; a withdrawal goes on',
  },
});

export const withdrawConsent = defineEndpoint({
  method: 'POST',
  path: '/v1/projects/{projectId}/patients/{patientId}/consent',
  name: 'withdrawConsent',
  summary:
    'Withdraws a consent; every grant that depends on it ends at once. Giving consent needs the consent page',
  tag: 'Consent',
  audience: ['patient'],
  closedBody: true,
  body: z.object({
    consentStatus: z.literal('OPTED_OUT'),
    consentType: ConsentType.default('PATIENT_DIRECTED_DATA_EXCHANGE'),
  }),
  status: 201,
  response: z.object({ consentRecordId: ConsentRecordId }),
  refusals: { 403: 'Another patient, another project, or not enrolled' },
});
