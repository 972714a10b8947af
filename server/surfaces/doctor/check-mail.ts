import type { Transporter } from 'nodemailer';
import { explainConnectionError } from '../../platform/db/database-fault.ts';
import { findFolderFault } from '../../platform/kernel/private-folder.ts';
import { createSmtpTransport } from '../../platform/mail/smtp-transport.ts';
import type { DeploymentConfig } from './deployment.ts';
import { createFinding, type Finding } from './finding.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EAUTH', 'user or password is wrong (EAUTH)'],
  ['ETLS', 'it offers no TLS; without it mails go to a private network only (ETLS)'],
]);

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 };

/** Signs in to the mail server, and sends nothing; looks into the folder of mails where there is none. */
export async function checkMailServer({
  smtpUrl,
  outbox,
}: Pick<DeploymentConfig['mail'], 'smtpUrl' | 'outbox'>): Promise<Finding> {
  if (smtpUrl === undefined) {
    const fault = findFolderFault(outbox);
    return fault === null
      ? createFinding('no_mail_server')
      : createFinding('outbox_unusable', { fault: fault.message });
  }
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
