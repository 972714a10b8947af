import type { AuditAction } from '../../../platform/audit/actions.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { MAIL_JOB, type Mail } from '../../../platform/mail/mail.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import { ANNOUNCED_AFTER_HOURS } from '../../../../contract/webhooks/webhooks.ts';
import { renderFailingMail, renderSuspendedMail } from './announcement-mail.ts';
import { findFaultAddresses } from '../../../identity/members/members.sql.ts';
import * as statements from './announcements.sql.ts';

export interface AnnounceDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: Jobs;
  baseUrl: string;
  /** Seconds. */
  retryDelays: readonly number[];
}

const HOUR_MS = 3600 * 1000;

/**
 * Mails whom the organization names, or the console's members, about endpoints that have failed for long or were suspended: no
 * endpoint stops silently.
 */
export async function announceFailing(deps: AnnounceDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now();
  const steps = ANNOUNCED_AFTER_HOURS.map((hours) => new Date(now.getTime() - hours * HOUR_MS));
  // One transaction for each webhook: results of deliveries wait for the lock on its row.
  for (const webhook of await deps.db.query(statements.selectUnannounced(steps))) {
    signal.throwIfAborted();
    await deps.db.tx(async (tx) => {
      await notifyFailing(tx, deps, { webhook, steps, now });
      await notifySuspended(tx, deps, webhook);
    });
  }
}

async function notifyFailing(
  tx: Tx,
  deps: AnnounceDeps,
  { webhook, steps, now }: { webhook: statements.WebhookKeyRow; steps: readonly Date[]; now: Date },
): Promise<void> {
  const failing = await maybeOne(tx, statements.markFailingAnnounced(webhook, { steps, now }));
  const hours = failing && ANNOUNCED_AFTER_HOURS[failing.step - 1];
  if (!failing || !hours) return;
  const since = failing.failing_since.toISOString();
  const retryHours = deps.retryDelays.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  await mailFaultAddresses(tx, deps, {
    webhook,
    occasion: `${since}:${failing.step}`,
    mail: renderFailingMail(failing, { ...deps, hours, retryHours }),
  });
  await deps.audit.write(tx, {
    ...buildAuditEntry(webhook, 'webhook.failing_announced'),
    detail: { webhookId: webhook.webhook_id, failingSince: since, afterHours: hours },
  });
}

async function notifySuspended(tx: Tx, deps: AnnounceDeps, webhook: statements.WebhookKeyRow): Promise<void> {
  const suspended = await maybeOne(tx, statements.markSuspensionAnnounced(webhook));
  if (!suspended) return;
  const since = suspended.status_since.toISOString();
  const mail = renderSuspendedMail(suspended, deps);
  await mailFaultAddresses(tx, deps, { webhook, occasion: `${since}:suspended`, mail });
  await deps.audit.write(tx, {
    ...buildAuditEntry(webhook, 'webhook.suspended'),
    detail: { webhookId: webhook.webhook_id, suspendedSince: since },
  });
}

const buildAuditEntry = (
  { organization_id: organizationId }: statements.WebhookKeyRow,
  action: AuditAction,
) => ({
  organizationId,
  action,
  actor: { kind: 'system' as const, id: 'webhooks' },
});

async function mailFaultAddresses(
  tx: Tx,
  { jobs }: AnnounceDeps,
  notice: { webhook: statements.WebhookKeyRow; occasion: string; mail: Omit<Mail, 'to'> },
): Promise<void> {
  const { organization_id: organizationId, webhook_id: webhookId } = notice.webhook;
  for (const { email } of await tx.query(findFaultAddresses(organizationId)))
    await jobs.enqueue<Mail>(tx, {
      kind: MAIL_JOB,
      uniqueKey: `${webhookId}:${notice.occasion}:${email}`,
      payload: {
        to: email,
        sentFor: { organizationId, name: 'webhook-failing' },
        about: { webhookId },
        ...notice.mail,
      },
    });
}
