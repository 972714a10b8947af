import type { Audit } from '../../../platform/audit/append.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Db } from '../../../platform/db/db.ts';
import { invalidClient, invalidGrant } from '../oauth-refusal.ts';
import type { TokenDeps } from './token-response.ts';

/** What token and revocation endpoint work with. */
export interface GrantDeps extends TokenDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  baseUrl: string;
  /** For how long a token that was just replaced may be sent again; 0: never. */
  refreshRetrySeconds: number;
  /** Whether there is such a client, to tell a bad client from a bad token. */
  clientExists(clientId: string): Promise<boolean>;
}

/** Of a code or refresh token that is not good: whether because of it or of the client. */
export const resolveGrantRefusal = async ({ clientExists }: GrantDeps, clientId: string): Promise<Refusal> =>
  (await clientExists(clientId)) ? invalidGrant() : invalidClient();
