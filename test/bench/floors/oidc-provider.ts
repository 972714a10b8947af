import { createServer } from 'node:http';
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import pg from 'pg';
import { authorizationServer } from '../../oauth/oracle.ts';

/**
 * The certified library on PostgreSQL, in one process, as someone would deploy it who reads its documentation and then
 * closes its races. `node oidc-provider.ts PORT DATABASE_URL`.
 */
const [, , port, connectionString] = process.argv;
// As many connections as server/platform/db/postgres.ts opens: 4 pipelines and 10 for transactions.
const pool = new pg.Pool({ connectionString, max: 18, idleTimeoutMillis: 0 });

await pool.query(`
  create table if not exists oidc_payload (
    id text not null,
    model text not null,
    payload jsonb not null,
    grant_id text,
    user_code text,
    uid text,
    expires_at timestamptz,
    consumed_at timestamptz,
    primary key (id, model)
  );
  create index if not exists oidc_payload_grant on oidc_payload (grant_id) where grant_id is not null;
  create index if not exists oidc_payload_uid on oidc_payload (uid) where uid is not null;
  create index if not exists oidc_payload_user_code on oidc_payload (user_code) where user_code is not null;
`);

const FOUND = `
  select case when consumed_at is null then payload
         else payload || jsonb_build_object('consumed', floor(extract(epoch from consumed_at))::bigint) end as payload
  from oidc_payload where model = $2 and (expires_at is null or expires_at > now())`;

/** Prepared once on each connection. */
const STATEMENTS = {
  upsert: `
    insert into oidc_payload (id, model, payload, grant_id, user_code, uid, expires_at)
    values ($1, $2, $3, $4, $5, $6, now() + $7::float8 * interval '1 second')
    on conflict (id, model) do update set payload = excluded.payload, grant_id = excluded.grant_id,
      user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
  find: `${FOUND} and id = $1`,
  findByUid: `${FOUND} and uid = $1`,
  findByUserCode: `${FOUND} and user_code = $1`,
  consume:
    'update oidc_payload set consumed_at = now() where id = $1 and model = $2 and consumed_at is null returning 1',
  destroy: 'delete from oidc_payload where id = $1 and model = $2',
  grantOf: 'select grant_id from oidc_payload where id = $1 and model = $2',
  revoke: `delete from oidc_payload where grant_id = $1 or (id = $1 and model = 'Grant')`,
  revokeByGrantId: 'delete from oidc_payload where grant_id = $1 and model = $2',
} as const;

async function run<Row extends pg.QueryResultRow>(
  name: keyof typeof STATEMENTS,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ name, text: STATEMENTS[name], values });
  return rows;
}

function postgresAdapter(model: string): Adapter {
  const one = async (name: 'find' | 'findByUid' | 'findByUserCode', key: string) =>
    (await run<{ payload: AdapterPayload }>(name, [key, model]))[0]?.payload;
  return {
    async upsert(id, payload, expiresIn) {
      // The uid of anything but a session is never looked for, and a payload's grant is no member of itself.
      const uid = model === 'Session' ? (payload.uid ?? null) : null;
      const { grantId = null, userCode = null } = payload;
      await run('upsert', [id, model, JSON.stringify(payload), grantId, userCode, uid, expiresIn ?? null]);
    },
    find: (id) => one('find', id),
    findByUid: (uid) => one('findByUid', uid),
    findByUserCode: (userCode) => one('findByUserCode', userCode),
    /** The library looks and then consumes; of two that saw it fresh, the one that comes second finds no row and ends the grant. */
    async consume(id) {
      const won = await run('consume', [id, model]);
      if (won.length > 0) return;
      const [row] = await run<{ grant_id: string | null }>('grantOf', [id, model]);
      if (row?.grant_id) await run('revoke', [row.grant_id]);
      throw new errors.InvalidGrant('used already');
    },
    destroy: async (id) => void (await run('destroy', [id, model])),
    revokeByGrantId: async (grantId) => void (await run('revokeByGrantId', [grantId, model])),
  };
}

const listener = authorizationServer({ url: `http://127.0.0.1:${port}`, adapter: postgresAdapter });
createServer(listener).listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
