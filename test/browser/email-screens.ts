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
const PERSON = {
  id: '6f1c5b0e-2d0c-4a8e-9a57-0f6a3f1b2c3d',
  firstName: 'Ana María de los Ángeles',
  lastName: 'Fernández-Guerra y Ruiz',
  email: 'ana.fernandez@mail.example',
  isTestPatient: false,
};

/** What a mailed link to another address of an account leads to; the links themselves are of test/browser/email-change.test.ts. */
export function emailScreens({ goTo, pressAll, answerWith, fulfillWith }: Ways): ScreenCase[] {
  const open = (opened: object): Step[] => [
    answerWith('**/account/email/link', {
      email: EMAIL,
      isRestoration: false,
      person: PERSON,
      isOwnAccount: true,
      ...opened,
    }),
    goTo(LINK),
  ];
  const openSignedOut = open({ person: null, isOwnAccount: false });
  const confirm = pressAll(en.emailLink.confirm);
  return [
    { screen: 'confirm-email', steps: open({}) },
    { screen: 'confirm-email-sign-in', steps: openSignedOut },
    { screen: 'confirm-email-other', steps: open({ isOwnAccount: false }) },
    {
      screen: 'email-change-cancelled',
      steps: [answerWith('**/account/email/cancel', {}), ...openSignedOut, pressAll(en.emailLink.cancel)],
    },
    {
      screen: 'email-change-not-cancelled',
      steps: [
        fulfillWith('**/account/email/cancel', 404, { code: 'link_invalid' }),
        ...openSignedOut,
        pressAll(en.emailLink.cancel),
      ],
    },
    {
      screen: 'email-changed',
      steps: [
        answerWith('**/account/email/confirm', { email: EMAIL, isRestoration: false, passwordToken: null }),
        ...open({}),
        confirm,
      ],
    },
    { screen: 'restore-email', steps: open({ isRestoration: true }) },
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
        ...open({ isRestoration: true }),
        pressAll(en.emailLink.restore),
        ({ tab }) => fill(tab, { [en.form.newPassword]: 'another horse, another battery' }),
        pressAll(en.link.submitRenew),
      ],
    },
    {
      screen: 'email-taken',
      steps: [fulfillWith('**/account/email/confirm', 409, { code: 'address_taken' }), ...open({}), confirm],
    },
    {
      screen: 'email-link-gone',
      steps: [fulfillWith('**/account/email/link', 404, { code: 'link_invalid' }), goTo(LINK)],
    },
    { screen: 'email-link-reloaded', steps: [goTo('#/account/email')] },
  ];
}
