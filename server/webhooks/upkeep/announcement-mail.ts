import type { Mail } from '../../mail/mail.ts';
import type { AnnouncedRow } from './announcements.sql.ts';

interface Circumstances {
  baseUrl: string;
  /** From the first attempt of a delivery to its last. */
  retryHours: number;
}

/** To a member of the console, about an endpoint that fails. */
export const failingMail = (
  webhook: AnnouncedRow & { failing_since: Date },
  { hours, ...given }: Circumstances & { hours: number },
): Omit<Mail, 'to'> => ({
  subject: `Webhook endpoint ${hostOf(webhook)} fails for more than ${hours === 1 ? 'an hour' : `${hours} hours`}`,
  text: `Hello,

An endpoint that your organization's events are sent to has acknowledged none since ${momentOf(webhook.failing_since)}.

${endpointOf(webhook)}

It is not switched off: each delivery is tried again for ${asHours(given.retryHours)}. What is not acknowledged by then is kept as exhausted, and can be sent again by a replay.

What was not delivered, with the answers of the endpoint:

${deliveriesOf(webhook, given)}
`,
});

/** To a member of the console, about an endpoint that answered that it is gone. */
export const suspendedMail = (
  webhook: AnnouncedRow & { status_since: Date },
  given: Pick<Circumstances, 'baseUrl'>,
): Omit<Mail, 'to'> => ({
  subject: `Webhook endpoint ${hostOf(webhook)} is suspended`,
  text: `Hello,

An endpoint that your organization's events are sent to answered 410 (gone) on ${momentOf(webhook.status_since)}. Nothing has been sent to it since.

${endpointOf(webhook)}

Events are dropped until somebody resumes the webhook. The delivery that was refused and what is dropped meanwhile are kept, and can be sent again by a replay then; what waited for a retry goes on by itself.

What was not delivered, with the answers of the endpoint:

${deliveriesOf(webhook, given)}
`,
});

/** The rest of the address may hold what only the endpoint is to know. */
const hostOf = ({ url }: AnnouncedRow): string => new URL(url).host;

const endpointOf = (webhook: AnnouncedRow): string => `  Host: ${hostOf(webhook)}
  Webhook: ${webhook.webhook_id}
  Description: ${webhook.description.replaceAll(/\s+/g, ' ') || '(none)'}`;

const deliveriesOf = (
  { organization_id, webhook_id }: AnnouncedRow,
  { baseUrl }: { baseUrl: string },
): string =>
  `${baseUrl}/v1/organizations/${organization_id}/webhooks/${webhook_id}/deliveries?status=exhausted`;

const momentOf = (at: Date): string =>
  `${at.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

const asHours = (hours: number): string => (hours < 1.5 ? 'an hour' : `${Math.round(hours)} hours`);
