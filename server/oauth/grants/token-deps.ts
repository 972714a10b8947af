import type { Audit } from '../../audit/append.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Db } from '../../storage/db.ts';
import type { TokenDeps } from './token-answer.ts';

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
