import { TOKEN_LIFETIME_SECONDS } from '../../identity/tokens/access-token.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

/** A refresh token that was not used for this long has expired. */
export const MAX_IDLE_MS = 30 * 24 * 3600 * 1000;

/** An access token is signed a moment after its grant was rotated: no app that reads is to be missing from a list. */
const SIGNING_SECONDS = 60;

const toInterval = (seconds: number): Sql => raw(`interval '${seconds} seconds'`);

/**
 * A condition on a row `g` of `oauth_grant`: it has not ended by itself. Without a refresh token that is when its only access
 * token does; a refresh token that nobody uses expires before the grant.
 */
export const hasTimeLeft = (latest: Sql): Sql => sql`(
  g.expires_at > ${latest} and g.rotated_at + case when g.refreshable
    then ${toInterval(MAX_IDLE_MS / 1000)} else ${toInterval(TOKEN_LIFETIME_SECONDS + SIGNING_SECONDS)} end > ${latest})`;

/** A condition on a row `g` of `oauth_grant`: its client reads with a token, or can get one. */
export const canRead = (latest: Sql): Sql => sql`(g.revoked_at is null and ${hasTimeLeft(latest)})`;

/** When the client of a row `g` of `oauth_grant` can read for the last time. */
export const READS_UNTIL: Sql = sql`case when g.refreshable then g.expires_at
  else least(g.expires_at, g.rotated_at + ${toInterval(TOKEN_LIFETIME_SECONDS)}) end`;
