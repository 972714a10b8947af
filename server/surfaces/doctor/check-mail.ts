import type { Transporter } from 'nodemailer';
import { explainConnectionError } from '../../platform/db/database-fault.ts';
import { createSmtpTransport } from '../../platform/mail/smtp-transport.ts';
import { createFinding, type Finding } from './finding.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EAUTH', 'user or password is wrong (EAUTH)'],
  ['ETLS', 'it offers no TLS; without it mails go to a private network only (ETLS)'],
]);

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 };

/** Signs in to the mail server, and sends nothing. */
export async function checkMailServer(smtpUrl: string | undefined): Promise<Finding> {
  if (smtpUrl === undefined) return createFinding('no_mail_server');
  const { host } = new URL(smtpUrl);
  let transport: Transporter | null = null;
  try {
    transport = await createSmtpTransport(smtpUrl)(TIMEOUTS);
    await transport.verify();
    return createFinding('mail_server_ok', { host });
  } catch (error) {
    const { code } = error as { code?: string };
    const reason = REASONS.get(String(code)) ?? explainConnectionError(error);
    return createFinding('mail_server_refuses', { host, reason });
  } finally {
    transport?.close();
  }
}
