import { findMailOrigin } from '../../../identity/patients/only-organization.ts';
import type { NoticeSettings } from '../../../../contract/account/notices.ts';
import type { PatientId } from '../../../../contract/brands.ts';
import { selectMailRecipient } from '../../../consent/receipts/receipt.sql.ts';
import { ORGANIZATION_READER } from '../../../platform/audit/reads.sql.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import type { JobKind } from '../../../platform/jobs/job-kind.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import { MAIL_RETRIES, type SendMail } from '../../../platform/mail/mail.ts';
import { findSettings, WEEK_MS } from './notice-settings.ts';
import { renderNoticeMail, type NoticeKind, type WeekOfReads } from './notice-words.ts';
import { selectReadTotals } from './notices.sql.ts';

interface Payload {
  patientId: PatientId;
  kind: NoticeKind;
  /** What makes it this event. */
  event: string;
  /** When it happened; of a digest, when its week ended. */
  at: string;
}

const NOTICE_MAIL_JOB = 'notice-mail';

/** Enqueues the mail about an event in the transaction that notices it. Whether it is wanted is asked when it is sent. */
export const enqueueNoticeMail = (tx: Tx, jobs: Jobs, payload: Payload): Promise<void> =>
  jobs.enqueue<Payload>(tx, {
    kind: NOTICE_MAIL_JOB,
    uniqueKey: `${payload.patientId} ${payload.kind} ${payload.event}`,
    payload,
  });

const SETTING_BY_KIND: Readonly<Record<NoticeKind, keyof NoticeSettings>> = {
  first_read: 'firstRead',
  unusual_volume: 'unusualVolume',
  unused_consent: 'unusedConsent',
  held_upload: 'heldUpload',
  weekly_digest: 'weeklyDigest',
};

interface Deps {
  db: Db;
  send: SendMail;
  consentAppUrl: string;
}

/** Creates the job that mails what was noticed to whoever wants it. Test patients have no mailbox, deleted accounts no address. */
export const createNoticeMailJob = ({ db, send, consentAppUrl }: Deps): JobKind<Payload> => ({
  kind: NOTICE_MAIL_JOB,
  ...MAIL_RETRIES,
  async run({ patientId, kind, at }) {
    const recipient = await maybeOne(db, selectMailRecipient(patientId));
    if (!recipient || !(await findSettings(db, patientId))[SETTING_BY_KIND[kind]]) return;
    const week = kind === 'weekly_digest' ? await findWeekOfReads(db, patientId, new Date(at)) : null;
    const { from, timeZone } = await findMailOrigin(db, patientId);
    await send({
      to: recipient.email,
      about: { mail: 'notice', notice: kind },
      ...from,
      ...renderNoticeMail(
        { kind, at: new Date(at), week },
        {
          language: recipient.language?.toLowerCase().startsWith('es') ? 'es' : 'en',
          timeZone,
          page: `${consentAppUrl}/#/my-data`,
        },
      ),
    });
  },
});

async function findWeekOfReads(db: Db, patientId: PatientId, until: Date): Promise<WeekOfReads> {
  const from = new Date(until.getTime() - WEEK_MS);
  const totals = await db.query(selectReadTotals(patientId, { from, until }));
  const byApps = totals.filter(({ reader }) => reader !== ORGANIZATION_READER);
  return {
    from,
    apps: byApps.length,
    readsByApps: byApps.reduce((sum, { reads }) => sum + reads, 0),
    readsByOrganizations: totals.find(({ reader }) => reader === ORGANIZATION_READER)?.reads ?? 0,
  };
}
