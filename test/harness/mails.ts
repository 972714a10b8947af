import fs from 'node:fs';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { TestService } from './service.ts';

type MailDeps = Pick<TestService, 'config' | 'worker'>;

/** Every mail to an address that was queued so far, oldest first, as a mail program reads it. */
export async function listMailsTo({ config, worker }: MailDeps, to: string): Promise<Email[]> {
  await worker.drain();
  const folder = path.join(config.db.dataDirectory, 'outbox');
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
  const mails = await Promise.all(files.sort().map((name) => parseMail(path.join(folder, name))));
  return mails.filter((mail) => mail.to?.some(({ address }) => address?.toLowerCase() === to.toLowerCase()));
}

const parsed = new Map<string, Promise<Email>>();

/** Each once: who waits for a mail looks at all of the folder again and again, and evidence comes with pictures. */
function parseMail(file: string): Promise<Email> {
  const { size, mtimeMs } = fs.statSync(file);
  const key = `${file} ${size} ${mtimeMs}`;
  const mail = parsed.get(key) ?? PostalMime.parse(fs.readFileSync(file));
  parsed.set(key, mail);
  return mail;
}

/** The `count`-th mail to an address, once it was sent. */
export async function waitForMail(service: MailDeps, to: string, count = 1): Promise<Email> {
  for (let tries = 0; tries < 6_000; tries++) {
    const mail = (await listMailsTo(service, to))[count - 1];
    if (mail) return mail;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`mail ${count} to ${to} has not come`);
}

/** The secret of the link in a mail: one that sets a password, or one that gives the account another address. */
export function extractLinkToken(mail: Email, leadsTo: 'link' | 'email' = 'link'): string {
  const token = new RegExp(`/#/account/${leadsTo}/([\\w-]+)`).exec(mail.text ?? '')?.[1];
  if (token === undefined) throw new Error(`no link in: ${mail.text}`);
  return token;
}
