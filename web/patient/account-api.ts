import { createContext, useContext } from 'react';
import type { z } from 'zod';
import type * as account from '../../contract/account/account.ts';
import type * as passkeys from '../../contract/account/passkeys.ts';
import type * as record from '../../contract/account/record-facts.ts';
import type { Call } from '../kit/http/call.ts';
import type { Language } from '../kit/languages.ts';
import { stayOnOwnOrigin } from '../kit/http/own-origin.ts';

export type Person = z.infer<typeof account.Person>;
type MailRequest = z.input<(typeof account.signUp)['body']>;

/** What both apps ask of the service; the types come from the contract. */
export const createAccountApi = (call: Call) => ({
  getSession: async () => stayOnOwnOrigin(await call<typeof account.getSession>('GET /account/session')),
  signIn: (email: string, password: string) =>
    call<typeof account.signIn>('POST /account/sign-in', { body: { email, password } }),
  signOut: () => call<typeof account.signOut>('POST /account/sign-out'),
  signUp: (body: MailRequest) => call<typeof account.signUp>('POST /account/sign-up', { body }),
  forgottenPassword: (body: MailRequest) =>
    call<typeof account.forgottenPassword>('POST /account/forgotten-password', { body }),
  beginPasskeySignIn: () => call<typeof passkeys.beginPasskeySignIn>('POST /account/sign-in/passkey/options'),
  signInByPasskey: (response: Record<string, unknown>) =>
    call<typeof passkeys.signInByPasskey>('POST /account/sign-in/passkey', { body: { response } }),
  updateMyLanguage: (language: Language) =>
    call<typeof account.updateMyLanguage>('POST /account/language', { body: { language }, keepalive: true }),
  countMyRecord: () => call<typeof record.countMyRecord>('GET /account/record'),
});

export type AccountApi = ReturnType<typeof createAccountApi>;

const AccountApiContext = createContext<AccountApi | null>(null);
export const AccountApiProvider = AccountApiContext.Provider;

export function useAccountApi(): AccountApi {
  const api = useContext(AccountApiContext);
  if (api === null) throw new Error('This screen has no AccountApiProvider around it.');
  return api;
}
