import { createTransport } from 'nodemailer';
import { explainConnectionError } from '../../platform/db/database-fault.ts';
import { createFinding, type Finding } from './finding.ts';

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 };

/** Signs in to the mail server, and sends nothing. */
export async function checkMailServer(smtpUrl: string | undefined): Promise<Finding> {
  if (smtpUrl === undefined) return createFinding('no_mail_server');
  const { host } = new URL(smtpUrl);
  const transport = createTransport({ url: smtpUrl, ...TIMEOUTS });
  try {
    await transport.verify();
    return createFinding('mail_server_ok', { host });
  } catch (error) {
    const { code } = error as { code?: string };
    const reason = code === 'EAUTH' ? 'user or password is wrong (EAUTH)' : explainConnectionError(error);
    return createFinding('mail_server_refuses', { host, reason });
  } finally {
    transport.close();
  }
}
