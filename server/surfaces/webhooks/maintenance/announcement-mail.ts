import type { Mail } from '../../../platform/mail/mail.ts';
import type { AnnouncedRow } from './announcements.sql.ts';

interface AnnouncementContext {
  baseUrl: string;
  /** Time from the first attempt of a delivery to its last. */
  retryHours: number;
}

/** Renders the mail to a console member about an endpoint that fails. */
export const renderFailingMail = (
  webhook: AnnouncedRow & { failing_since: Date },
  { hours, ...context }: AnnouncementContext & { hours: number },
): Omit<Mail, 'to'> => ({
  subject: `Webhook endpoint ${getHost(webhook)} has been failing for more than ${hours === 1 ? 'an hour' : `${hours} hours`}`,
  text: `Hello,

An endpoint that receives your organization's events has not acknowledged any since ${formatInstant(webhook.failing_since)}.

${formatEndpoint(webhook)}

The webhook is not disabled: each delivery is retried for ${formatHours(context.retryHours)}. A delivery that is not acknowledged by then is stored as exhausted, and can be sent again by a replay.

Exhausted deliveries, with the answers of the endpoint:

${buildDeliveriesUrl(webhook, context)}
`,
});

/** Renders the mail to a console member about an endpoint that answered 410 (gone). */
export const renderSuspendedMail = (
  webhook: AnnouncedRow & { status_since: Date },
  context: Pick<AnnouncementContext, 'baseUrl'>,
): Omit<Mail, 'to'> => ({
  subject: `Webhook endpoint ${getHost(webhook)} is suspended`,
  text: `Hello,

An endpoint that receives your organization's events answered 410 (gone) on ${formatInstant(webhook.status_since)}. Nothing has been sent to it since.

${formatEndpoint(webhook)}

Events are dropped until somebody resumes the webhook. The refused delivery and the dropped ones are stored, and can then be sent again by a replay; deliveries that wait for a retry continue by themselves.

Exhausted deliveries, with the answers of the endpoint:

${buildDeliveriesUrl(webhook, context)}
`,
});

/** The rest of the URL may hold a secret of the endpoint. */
const getHost = ({ url }: AnnouncedRow): string => new URL(url).host;

const formatEndpoint = (webhook: AnnouncedRow): string => `  Host: ${getHost(webhook)}
  Webhook: ${webhook.webhook_id}
  Description: ${webhook.description.replaceAll(/\s+/g, ' ') || '(none)'}`;

const buildDeliveriesUrl = (
  { organization_id, webhook_id }: AnnouncedRow,
  { baseUrl }: { baseUrl: string },
): string =>
  `${baseUrl}/v1/organizations/${organization_id}/webhooks/${webhook_id}/deliveries?status=exhausted`;

const formatInstant = (at: Date): string =>
  `${at.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

const formatHours = (hours: number): string => (hours < 1.5 ? 'an hour' : `${Math.round(hours)} hours`);
