import { extractLinkToken, listMailsTo, waitForMail } from './mails.ts';
import type { TestService } from './service.ts';
import type { TestBrowser } from './test-browser.ts';

export interface TestAccount {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

let personCount = 0;

export const newPerson = (more: Partial<TestAccount> = {}): TestAccount => ({
  email: `jo${++personCount}@mail.example`,
  password: 'correct horse battery staple',
  firstName: 'Jo',
  lastName: 'Larsen',
  ...more,
});

type MailDeps = Pick<TestService, 'config' | 'worker'>;

/** Asks for a link as the page does, and answers the secret that comes by mail. */
export async function requestMailedLink(
  service: MailDeps,
  browser: TestBrowser,
  request: { email: string; continueWith?: string; projectId?: string; language?: 'en' | 'es' },
) {
  const before = (await listMailsTo(service, request.email)).length;
  const { status, body } = await browser.post('/account/sign-up', request);
  if (status !== 202) throw new Error(`asked for a link: ${status} ${JSON.stringify(body)}`);
  return extractLinkToken(await waitForMail(service, request.email, before + 1));
}

/** A person with a confirmed address and a password, signed in in this browser. */
export async function newAccount(
  service: MailDeps,
  browser: TestBrowser,
  more: Partial<TestAccount> = {},
): Promise<TestAccount> {
  const person = newPerson(more);
  const { email, ...rest } = person;
  const token = await requestMailedLink(service, browser, { email });
  const { status, body } = await browser.post('/account/password', { token, ...rest });
  if (status !== 200) throw new Error(`set a password: ${status} ${JSON.stringify(body)}`);
  return person;
}
