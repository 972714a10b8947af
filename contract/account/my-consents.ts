import { z } from 'zod';
import {
  ClientGrant,
  ConsentDataResourceScopes,
  ConsentDataSensitivityScopes,
  ConsentParts,
  ConsentScopes,
} from '../data-categories.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ConsentRecordId, ProjectId } from '../brands.ts';
import { PageLanguage } from './account.ts';
import { ConsentTitles, ConsentType } from './consent.ts';

const DecidedType = ConsentType.default('PATIENT_DIRECTED_DATA_EXCHANGE');

const DecisionLanguage = PageLanguage.optional().describe(
  'Of the page, for the record, its receipt and the mail',
);

const shared = { tag: 'Consent page', audience: ['patient-session'], page: true } as const;

export const MyConsent = ConsentScopes.extend({
  organization: z.object({ name: z.string() }),
  project: z.object({ id: ProjectId, name: z.string(), titles: ConsentTitles }),
  consentType: ConsentType,
  consentRecordId: ConsentRecordId.describe('The record of the decision in force'),
  status: z
    .enum(['active', 'expired', 'withdrawn', 'refused', 'revoked'])
    .describe(
      'withdrawn: the person stopped it; refused: they said no when nothing was shared any more; revoked: the organization ended it, with the enrollment',
    ),
  since: z.iso.datetime().describe('When the decision in force was made'),
  until: z.iso.datetime(),
  parts: ConsentParts,
  apps: z.array(
    z.object({
      name: z.string().nullable().describe('As the client calls itself'),
      verifiedHost: z.string().nullable(),
      since: z.iso.datetime(),
      lastReadAt: z.iso.datetime().nullable(),
      connected: z.boolean().describe('It may read now'),
      clientId: z.string(),
      grant: ClientGrant.nullable().describe('What it may read now, and until when; null: nothing'),
    }),
  ),
}).meta({ id: 'MyConsent' });
export type MyConsent = z.infer<typeof MyConsent>;

export const listMyConsents = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/consents',
  name: 'listMyConsents',
  summary: 'The consents of the signed-in person with the apps that read under them; those in force first',
  response: z.object({ consents: z.array(MyConsent) }),
});

export const withdrawMyConsent = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/consents/withdraw',
  name: 'withdrawMyConsent',
  summary: 'Withdraws a consent; every app that reads under it loses access at once',
  body: z.object({ projectId: ProjectId, consentType: DecidedType, language: DecisionLanguage }),
  status: 204,
  response: z.undefined(),
  refusals: { 403: 'csrf, or not enrolled in the project' },
});

export const disconnectMyApp = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/consents/disconnect',
  name: 'disconnectMyApp',
  summary:
    'Disconnects one app: its tokens are refused from the next call on. The consent, the organization and other apps go on',
  body: z.object({ projectId: ProjectId, clientId: z.string().min(1).max(2000) }),
  status: 204,
  response: z.undefined(),
  refusals: { 403: 'csrf', 404: 'The app was never connected' },
});

export const narrowMyConsent = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/consents/narrow',
  name: 'narrowMyConsent',
  summary:
    'Narrows a consent: a new decision with fewer categories or classes, and the same end. Sharing more needs the consent page',
  body: z.object({
    projectId: ProjectId,
    consentType: DecidedType,
    consentDataResourceScopes: ConsentDataResourceScopes,
    consentDataSensitivityScopes: ConsentDataSensitivityScopes,
    language: DecisionLanguage,
  }),
  response: z.object({ consentRecordId: ConsentRecordId }),
  refusals: {
    400: 'not_narrower: it names something that is not shared now, or changes nothing',
    403: 'csrf, or not enrolled in the project',
    409: 'no_consent: nothing is shared with this project now',
  },
});
