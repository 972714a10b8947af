import type { ScreenCase, Step } from './screens.ts';
import { fill } from '../harness/page.ts';
import { en } from '../harness/words.ts';

interface Ways {
  goTo(fragment: string): Step;
  pressAll(...names: string[]): Step;
  answerWith(url: string, body: object): Step;
  fulfillWith(url: string, status: number, body?: object): Step;
}

const LINK = '#/account/email/a-token-of-a-mailed-link';
const EMAIL = 'ana.maria.de.los.angeles@hospital-general.example';

/** What a mailed link to another address of an account leads to; the links themselves are of test/browser/email-change.test.ts. */
export function emailScreens({ goTo, pressAll, answerWith, fulfillWith }: Ways): ScreenCase[] {
  const open = (isRestoration: boolean): Step[] => [
    answerWith('**/account/email/link', { email: EMAIL, isRestoration }),
    goTo(LINK),
  ];
  const confirm = pressAll(en.emailLink.confirm);
  return [
    { screen: 'confirm-email', steps: open(false) },
    {
      screen: 'email-changed',
      steps: [
        answerWith('**/account/email/confirm', { email: EMAIL, isRestoration: false, passwordToken: null }),
        ...open(false),
        confirm,
      ],
    },
    { screen: 'restore-email', steps: open(true) },
    {
      screen: 'account-restored',
      steps: [
        answerWith('**/account/email/confirm', {
          email: EMAIL,
          isRestoration: true,
          passwordToken: 'a-token',
        }),
        answerWith('**/account/link', {
          email: EMAIL,
          hasPassword: true,
          needsName: false,
          passkeys: [],
          continueWith: null,
          projectId: null,
          organization: null,
        }),
        answerWith('**/account/password', { continueWith: null, projectId: null }),
        ...open(true),
        pressAll(en.emailLink.restore),
        ({ tab }) => fill(tab, { [en.form.newPassword]: 'another horse, another battery' }),
        pressAll(en.link.submitRenew),
      ],
    },
    {
      screen: 'email-taken',
      steps: [
        fulfillWith('**/account/email/confirm', 409, { code: 'address_taken' }),
        ...open(false),
        confirm,
      ],
    },
    {
      screen: 'email-link-gone',
      steps: [fulfillWith('**/account/email/link', 404, { code: 'link_invalid' }), goTo(LINK)],
    },
  ];
}
