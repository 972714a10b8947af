import { createContext, useContext } from 'react';
import { hasPermission, type Permission } from '../../../../contract/roles.ts';
import type { Call } from '../../../kit/http/call.ts';
import type { ConsoleCall, Download, Session } from './console-call.ts';

export interface Console {
  /** The service's address, without a trailing slash. */
  baseUrl: string;
  member: NonNullable<Session['member']>;
  organization: NonNullable<Session['organization']>;
  /** The identity provider that members sign in at; null: none. */
  oidc: Session['oidc'];
  /** No mail server is configured: mails are files. */
  keepsMails: boolean;
  call: ConsoleCall;
  download: Download;
  /** For what is about signing in itself. */
  plainCall: Call;
  /** Asks again who is signed in, such as after their name has changed. */
  reloadSession(): Promise<void>;
}

const ConsoleContext = createContext<Console | null>(null);
export const ConsoleProvider = ConsoleContext.Provider;

/** Who is signed in, and the calls in their name. */
export function useConsole(): Console {
  const console = useContext(ConsoleContext);
  if (console === null) throw new Error('This page has no ConsoleProvider around it.');
  return console;
}

/** Whether the member's role has the permission; the service checks it again. */
export function usePermission(permission: Permission): boolean {
  return hasPermission(useConsole().member.role, permission);
}
