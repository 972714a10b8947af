import { linkTokenIn, mailsTo, waitForMail } from './mails.ts';
import type { TestService } from './service.ts';
import type { Visitor } from './visitor.ts';

export interface TestAccount {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

let people = 0;

export const newPerson = (more: Partial<TestAccount> = {}): TestAccount => ({
  email: `jo${++people}@mail.example`,
  password: 'correct horse battery staple',
  firstName: 'Jo',
  lastName: 'Larsen',
  ...more,
});

type Mailing = Pick<TestService, 'config' | 'worker'>;

/** Asks for a link as the page does, and answers the secret that comes by mail. */
export async function mailedLink(
  service: Mailing,
  browser: Visitor,
  ask: { email: string; continueWith?: string },
) {
  const before = (await mailsTo(service, ask.email)).length;
  const { status, body } = await browser.post('/account/sign-up', ask);
  if (status !== 202) throw new Error(`asked for a link: ${status} ${JSON.stringify(body)}`);
  return linkTokenIn(await waitForMail(service, ask.email, before + 1));
}

/** A person with a confirmed address and a password, signed in in this browser. */
export async function newAccount(
  service: Mailing,
  browser: Visitor,
  more: Partial<TestAccount> = {},
): Promise<TestAccount> {
  const person = newPerson(more);
  const { email, ...rest } = person;
  const token = await mailedLink(service, browser, { email });
  const { status, body } = await browser.post('/account/password', { token, ...rest });
  if (status !== 200) throw new Error(`set a password: ${status} ${JSON.stringify(body)}`);
  return person;
}
