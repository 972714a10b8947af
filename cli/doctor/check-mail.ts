import { createTransport } from 'nodemailer';
import { explainConnectionError } from '../../server/platform/db/database-fault.ts';
import { failed, ok, skipped, type Finding } from './finding.ts';

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 };

/** Signs in to the mail server, and sends nothing. */
export async function checkMailServer(smtpUrl: string | undefined): Promise<Finding> {
  if (smtpUrl === undefined) return skipped('mail_server', 'There is no mail server to ask.');
  const url = new URL(smtpUrl);
  const transport = createTransport({ url: smtpUrl, ...TIMEOUTS });
  try {
    await transport.verify();
    return ok('mail_server', `${url.host} takes mails from here.`);
  } catch (error) {
    const { code } = error as { code?: string };
    const reason = code === 'EAUTH' ? 'user or password is wrong (EAUTH)' : explainConnectionError(error);
    return failed('mail_server', `${url.host} takes no mails: ${reason}.`, 'Correct SMTP_URL.');
  } finally {
    transport.close();
  }
}
