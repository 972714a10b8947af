import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

const shared = { tag: 'Consent page', audience: ['patient-session'], page: true } as const;

export const NoticeSettings = z
  .strictObject({
    firstRead: z.boolean().describe('A client reads the record that never read it before'),
    unusualVolume: z
      .boolean()
      .describe('A client reads far more in an hour than it does in others; at most one mail a day'),
    unusedConsent: z.boolean().describe('Nobody has read under a consent for 90 days'),
    heldUpload: z.boolean().describe('An upload has waited for "Is this you?" for three days'),
    weeklyDigest: z.boolean().describe('How often the record was read, once a week'),
  })
  .meta({ id: 'NoticeSettings' });
export type NoticeSettings = z.infer<typeof NoticeSettings>;

export const getMyNotices = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/notices',
  name: 'getMyNotices',
  summary:
    'Which mails the signed-in person gets about the use of their record: all but the weekly digest unless they chose',
  response: z.object({ settings: NoticeSettings }),
});

export const updateMyNotices = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/notices',
  name: 'updateMyNotices',
  summary: 'Sets which mails the signed-in person gets about the use of their record',
  body: NoticeSettings,
  status: 204,
  response: z.undefined(),
});
