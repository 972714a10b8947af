import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { ReportActivity } from '../http/activity.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Usage } from '../usage/usage.ts';
import { makeFolderPrivate } from '../kernel/private-folder.ts';
import { deleteMailsTo, nameMailFile } from './outbox.ts';
import { createSmtpTransport } from './smtp-transport.ts';

/** Plain text; never holds health data. */
export interface Mail {
  to: string;
  /** The name in front of the sender's address; the operator's by default. */
  fromName?: string;
  subject: string;
  /** The organization that has it sent, and what it is: counted as its use of the service. */
  sentFor?: { organizationId: OrganizationId; projectId?: ProjectId; name: string };
  text: string;
  /** The last one to this address: where mails are files, those before it are deleted. */
  isLast?: true;
  /** Ids and words of ours that the log names it by; never a patient's. */
  about?: Readonly<Record<string, string>>;
  attachments?: readonly { filename: string; content: string; contentType: string }[];
}

export type SendMail = (mail: Mail) => Promise<void>;

export const MAIL_JOB = 'mail';

export interface MailOptions {
  clock: Clock;
  report: ReportActivity;
  usage: Pick<Usage, 'count'>;
  /** undefined: mails are written as .eml files into `outbox`. */
  smtpUrl: string | undefined;
  outbox: string;
  from: string;
}

/** Retries for four days, with growing delays. */
export const MAIL_RETRIES: Pick<JobKind, 'maxAttempts' | 'delaySeconds'> = {
  maxAttempts: 12,
  delaySeconds: (attempt) => Math.min(30 * 2 ** attempt, 12 * 3600),
};

/** Creates the job that sends queued mails. */
export const createMailJob = (send: SendMail): JobKind<Mail> => ({
  kind: MAIL_JOB,
  ...MAIL_RETRIES,
  run: send,
});

/** Sends over SMTP, or writes files on a machine without it. */
export function createMailTransport(options: MailOptions): SendMail {
  const { smtpUrl, from, report, usage } = options;
  const send = smtpUrl === undefined ? createFileTransport(options) : createSmtpSender(smtpUrl, from);
  return async ({ sentFor, about, ...mail }) => {
    const ids = {
      mail: sentFor?.name,
      organizationId: sentFor?.organizationId,
      projectId: sentFor?.projectId,
      ...about,
    };
    const count = (outcome: 'success' | 'failed'): void => {
      if (sentFor) usage.count({ ...sentFor, kind: 'mail', outcome });
    };
    try {
      await send(mail);
    } catch (error) {
      report('mail_failed', ids);
      count('failed');
      throw error;
    }
    report('mail_sent', ids);
    count('success');
  };
}

function createSmtpSender(smtpUrl: string, from: string): SendMail {
  const open = createSmtpTransport(smtpUrl);
  return async (mail) => {
    const transport = await open();
    await transport.sendMail({ from, ...toMessage(mail, from) });
  };
}

function createFileTransport({ clock, outbox, from }: MailOptions): SendMail {
  const transport = createTransport({ streamTransport: true, buffer: true }, { from });
  return async (mail) => {
    const { message } = await transport.sendMail(toMessage(mail, from));
    // Links in mails open accounts.
    makeFolderPrivate(outbox, () => false);
    if (mail.isLast) await deleteMailsTo(outbox, mail.to);
    const name = path.join(outbox, nameMailFile(clock.now(), randomUUID()));
    // A program that watches the folder never sees half a mail.
    await fs.writeFile(`${name}.part`, message as Buffer, { mode: 0o600 });
    await fs.rename(`${name}.part`, `${name}.eml`);
  };
}

/** Copies the attachments: the transport may change its lists. */
const toMessage = ({ attachments = [], fromName, isLast: _, ...mail }: Mail, from: string) => ({
  ...mail,
  ...(fromName !== undefined && { from: { name: fromName, address: getAddress(from) } }),
  attachments: [...attachments],
});

/** Returns the address of a sender such as `Clinic <no-reply@clinic.example>`. */
const getAddress = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
