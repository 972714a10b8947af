import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { JobKind } from '../jobs/kinds.ts';

/** Plain text; never holds health data. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export const MAIL_JOB = 'mail';

export interface MailOptions {
  /** Absent: mails are written as .eml files into `outbox`. */
  smtpUrl: string | undefined;
  outbox: string;
  from: string;
}

/** Sends queued mails: over SMTP for four days, each try a little later, or as files for a machine without it. */
export function mailJob(options: MailOptions): JobKind<Mail> {
  const send =
    options.smtpUrl === undefined ? fileTransport(options) : smtpTransport(options.smtpUrl, options.from);
  return {
    kind: MAIL_JOB,
    maxAttempts: 12,
    delaySeconds: (attempt) => Math.min(30 * 2 ** attempt, 12 * 3600),
    run: send,
  };
}

function smtpTransport(smtpUrl: string, from: string): (mail: Mail) => Promise<void> {
  const transport = createTransport(smtpUrl, { from });
  return async (mail) => void (await transport.sendMail(mail));
}

function fileTransport({ outbox, from }: MailOptions): (mail: Mail) => Promise<void> {
  const transport = createTransport({ streamTransport: true, buffer: true }, { from });
  return async (mail) => {
    const { message } = await transport.sendMail(mail);
    await fs.mkdir(outbox, { recursive: true, mode: 0o700 });
    const name = path.join(outbox, `${new Date().toISOString().replaceAll(':', '')}-${randomUUID()}`);
    // Whoever watches the folder never sees half a mail.
    await fs.writeFile(`${name}.part`, message as Buffer, { mode: 0o600 });
    await fs.rename(`${name}.part`, `${name}.eml`);
  };
}
