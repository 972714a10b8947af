import { z } from 'zod';
import { ConsentRecordId, ProjectId, ScreenshotId } from '../brands.ts';
import { ConsentScopes } from '../data-categories.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ConsentReceipt } from '../organization/receipt.ts';
import { ConsentTitles, ConsentType } from './consent.ts';

const shared = { tag: 'Consent page', audience: ['patient-session'], page: true } as const;

/** What a decision did, by the one on the same consent before it. */
export const DecisionKind = z
  .enum(['given', 'changed', 'refused', 'withdrawn', 'revoked'])
  .meta({ id: 'DecisionKind' })
  .describe(
    'changed: it replaced a consent in force; refused: a no where nothing was shared; revoked: the organization ended it, with the enrollment',
  );
export type DecisionKind = z.infer<typeof DecisionKind>;

export const listMyReceipts = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/receipts',
  name: 'listMyReceipts',
  summary: "The person's decisions, newest first, each with a receipt",
  response: z.object({
    receipts: z.array(
      ConsentScopes.extend({
        consentRecordId: ConsentRecordId,
        kind: DecisionKind,
        consentType: ConsentType,
        decidedAt: z.iso.datetime(),
        consentStatus: z.enum(['OPTED_IN', 'OPTED_OUT']),
        until: z.iso.datetime(),
        clientUntil: z.iso
          .datetime()
          .nullable()
          .describe('When the app that asked stops reading, where that is before `until`'),
        organization: z.object({ name: z.string() }),
        project: z.object({ id: ProjectId, name: z.string(), titles: ConsentTitles }),
        clientName: z.string().nullable(),
        screenshots: z.int().describe('The number of stored screenshots'),
      }),
    ),
  }),
});

export const getMyReceipt = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/receipts/{consentRecordId}',
  name: 'getMyReceipt',
  summary: 'The signed receipt, as a file (compact JWS)',
  produces: 'application/jose',
  response: z.string(),
  refusals: { 404: 'The person has no such record' },
});

export const getMyReceiptContent = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/receipts/{consentRecordId}/content',
  name: 'getMyReceiptContent',
  summary: 'What the signed receipt says, for a page to print, and which screens there are of it',
  response: z.object({
    kind: DecisionKind,
    receipt: ConsentReceipt.omit({ iss: true, iat: true, jti: true }).describe(
      'As it is signed, without the claims of the signature',
    ),
    screenshots: z.array(z.object({ id: ScreenshotId, screen: z.string(), takenAt: z.iso.datetime() })),
  }),
  refusals: { 404: 'The person has no such record' },
});

export const getMyReceiptScreenshot = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/receipts/{consentRecordId}/screenshots/{screenshotId}',
  name: 'getMyReceiptScreenshot',
  summary: 'One screen that the person decided on, as an image',
  produces: 'image/png',
  response: z.string().meta({ format: 'binary' }),
  refusals: { 404: 'The person has no such record, or it no such screen' },
});
