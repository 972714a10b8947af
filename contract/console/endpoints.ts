import type { EndpointDefinition } from '../endpoint.ts';
import * as console from './console.ts';
import * as invitations from './invitations.ts';
import * as oidc from './oidc.ts';
import * as passkeys from './passkeys.ts';
import * as sessions from './sessions.ts';

/** What only the pages of the console call. */
export const CONSOLE_ENDPOINTS: readonly EndpointDefinition[] = [
  console.getConsoleSession,
  console.signInToConsole,
  console.signOutOfConsole,
  console.confirmPresence,
  console.forgottenConsolePassword,
  console.chooseConsolePassword,
  console.changeConsolePassword,
  console.changeOwnName,
  console.beginTotp,
  console.activateTotp,
  console.renewRecoveryCodes,
  passkeys.beginConsolePasskeySignIn,
  passkeys.signInToConsoleByPasskey,
  passkeys.beginPasskeyConfirmation,
  passkeys.listConsolePasskeys,
  passkeys.beginConsolePasskey,
  passkeys.addConsolePasskey,
  passkeys.removeConsolePasskey,
  oidc.beginOidcSignIn,
  oidc.completeOidc,
  oidc.beginOidcConfirmation,
  oidc.beginOidcJoin,
  sessions.listConsoleSessions,
  sessions.endConsoleSession,
  sessions.endOtherConsoleSessions,
  invitations.openInvitation,
  invitations.acceptInvitation,
];
