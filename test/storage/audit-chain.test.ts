import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import type { OrganizationId } from '../../contract/brands.ts';
import { createAuditLog, type AuditEntry } from '../../server/platform/audit/append.ts';
import { signCheckpoint, hashCheckpoint, readCheckpoint } from '../../server/platform/audit/checkpoint.ts';
import { importVerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import { hashAuditEntry } from '../../server/platform/audit/entry-hash.ts';
import type { Fault } from '../../server/platform/audit/fault.ts';
import { sealAll, sealBlock, type SealDeps } from '../../server/platform/audit/seal.ts';
import { findNextUnsealedOrganization, findUnsealedHashes } from '../../server/platform/audit/seal.sql.ts';
import {
  compareCheckpoints,
  verifyStore,
  type StoreVerification,
} from '../../server/platform/audit/verify-store.ts';
import { findBlockEntries, type StoredEntry } from '../../server/platform/audit/verify.sql.ts';
import {
  listAllSigningKeys,
  rotateSigningKeys,
  createSigningKeys,
} from '../../server/platform/keys/signing-keys.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { one, type Db, type Queryable } from '../../server/platform/db/db.ts';
import { migrate, readMigrations } from '../../server/platform/db/migrate.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { raw, sql, type Sql } from '../../server/platform/db/sql.ts';
import { ENGINES, createDatabase, openTestStore, type TestStore } from '../harness/store.ts';

/** Everything that a canonical form can get wrong. */
const ODD = 'a "quoted" back\\slash / \u0001\u001f\u007f\b\n\u2028 é 𝔘 half \ud800';

const buildEntry = (organizationId: OrganizationId, more: Partial<AuditEntry> = {}): AuditEntry => ({
  organizationId,
  action: 'webhook.tested',
  actor: { kind: 'system', id: 'test' },
  ...more,
});

/** One whose columns are all filled. */
const buildFullEntry = (organizationId: OrganizationId): AuditEntry =>
  buildEntry(organizationId, {
    client: ODD,
    actor: { kind: 'patient', id: ODD },
    projectId: generateId(),
    patientId: generateId(),
    consentRecordId: generateId(),
    detail: { [ODD]: [1.5, ODD, null] },
  });

const createSealDeps = (db: Db): SealDeps => ({
  db,
  clock: systemClock,
  keys: createSigningKeys({ db, clock: systemClock }),
  baseUrl: 'https://chartgate.example',
});

const verifyChain = async (db: Queryable): Promise<StoreVerification> => {
  const keys = await importVerifyingKeys(await listAllSigningKeys(db));
  return verifyStore({ db, keys }, null);
};

class Undo extends Error {}

/** What a verification finds after a change, which is then undone. */
async function findFaultAfter(db: Db, ...changes: Sql[]): Promise<Fault | null> {
  let fault: Fault | null = null;
  await db
    .tx(async (tx) => {
      for (const change of changes) await tx.query(change);
      ({ fault } = await verifyChain(tx));
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return fault;
}

/** An expression for the smallest other value of a column. */
const OTHER_VALUES: Readonly<Record<string, (name: string) => string>> = {
  uuid: (name) =>
    `(left(${name}::text, 35) || case right(${name}::text, 1) when '0' then '1' else '0' end)::uuid`,
  'timestamp with time zone': (name) => `${name} + interval '1 microsecond'`,
  text: (name) => `translate(left(${name}, 1), 'ae', 'ba') || 'x' || substr(${name}, 2)`,
  json: (name) => `replace(${name}::text, '1.5', '1.6')::json`,
  bytea: (name) => `set_byte(${name}, 7, get_byte(${name}, 7) # 1)`,
  bigint: (name) => `coalesce(${name}, 0) + 1`,
  integer: (name) => `coalesce(${name}, 0) + 1`,
};

/** Where a check permits a few values only. */
const PERMITTED: Readonly<Record<string, string>> = { actor_kind: `'admin'`, outcome: `'failed'` };

interface Column {
  name: string;
  type: string;
  nullable: string;
}

const listColumns = (db: Db, table: string): Promise<Column[]> =>
  db.query(sql<Column>`
    select column_name as name, data_type as type, is_nullable as nullable from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by ordinal_position`);

/** Each way to change one value of a column. */
function buildChanges(
  { name, type, nullable }: Column,
  columns: readonly Column[],
): { name: string; to: string }[] {
  assert.ok(columns.length > 0);
  const other = PERMITTED[name] ?? OTHER_VALUES[type]?.(name);
  assert.ok(other, `${name} is of a type that no change is known for: ${type}`);
  return [
    { name, to: other },
    ...(nullable === 'YES' ? [{ name, to: 'null' }] : []),
    ...(type === 'json' ? [{ name, to: `replace(${name}::text, ',', ', ')::json` }] : []),
    // A base64url character whose last bits are dropped when it is decoded.
    ...(name === 'checkpoint'
      ? [{ name, to: `left(${name}, -1) || chr(ascii(right(${name}, 1)) + 1)` }]
      : []),
  ];
}

for (const engine of ENGINES) {
  describe(`the audit log on ${engine}`, () => {
    let store: TestStore;
    let db: Db;
    const [first, second] = [generateId<OrganizationId>(), generateId<OrganizationId>()];
    let sealed: StoredEntry[];
    let open: string;

    before(async () => {
      store = await openTestStore(engine);
      ({ db } = store);
      const audit = createAuditLog({ db, clock: systemClock });
      for (const organization of [first, second]) {
        for (const size of [3, 5, 4]) {
          await audit.write(db, buildEntry(organization));
          await audit.writeAll(db, [buildFullEntry(organization), buildEntry(organization)]);
          for (let more = 3; more < size; more++) await audit.append(buildFullEntry(organization));
          await sealBlock(createSealDeps(db), organization);
        }
        await Promise.all([
          audit.append(buildFullEntry(organization)),
          audit.append(buildEntry(organization)),
        ]);
      }
      sealed = await db.query(findBlockEntries(second, { first: 2, last: 2, limit: 10 }));
      const unsealed = await db.query(
        sql<{ entry_id: string }>`
          select entry_id from audit_entry where organization_id = ${second} and block is null and client is not null`,
      );
      open = unsealed[0]?.entry_id ?? '';
      assert.equal(sealed.length, 5);
    });
    after(() => store.remove());

    const at = (place: number): string => sealed[place]?.entry_id ?? '';

    it('is sound as it was written, and says how much of it was looked at', async () => {
      const { checkpoints, ...counted } = await verifyChain(db);
      assert.deepEqual(counted, {
        organizations: 2,
        blocks: 6,
        entries: 24,
        unsealed: 4,
        dropped: [],
        fault: null,
      });
      const keys = await importVerifyingKeys(await listAllSigningKeys(db));
      const read = await Promise.all(checkpoints.map((jws) => readCheckpoint(jws, keys)));
      assert.deepEqual(
        read.map((checkpoint) => [
          checkpoint?.organizationId,
          checkpoint?.block,
          checkpoint?.entries,
          checkpoint?.iss,
        ]),
        [first, second].sort().map((organization) => [organization, 3, 4, 'https://chartgate.example']),
      );
    });

    it('names the entry of which any value was changed, sealed or not', async () => {
      const columns = await listColumns(db, 'audit_entry');
      for (const change of columns.flatMap((column) => buildChanges(column, columns))) {
        for (const entryId of [at(1), open]) {
          // A place and a block that are null already.
          if (entryId === open && change.to === 'null' && ['block', 'place'].includes(change.name)) continue;
          // The database itself refuses an entry without a hash.
          const altering = sql`update audit_entry set ${raw(change.name)} = ${raw(change.to)} where entry_id = ${entryId}`;
          const fault = await findFaultAfter(db, altering);
          const named = change.name === 'entry_id' ? entryId.slice(0, 35) : entryId;
          assert.ok(
            fault?.entryId?.startsWith(named),
            `${change.name} = ${change.to} of ${entryId === open ? 'an unsealed' : 'a sealed'} entry: ${JSON.stringify(fault)}`,
          );
        }
      }
    });

    it('names the block of whose row any value was changed', async () => {
      const columns = await listColumns(db, 'audit_block');
      for (const { name, to } of columns.flatMap((column) => buildChanges(column, columns))) {
        for (const block of [1, 3]) {
          // Out of the way of the block that would have its number: then the first fault is that its own is gone.
          const value = name === 'block' ? 'block + 7' : to;
          const altering = sql`
            update audit_block set ${raw(name)} = ${raw(value)} where organization_id = ${second} and block = ${block}`;
          const fault = await findFaultAfter(db, altering);
          const named = name === 'block' && block === 3 ? block + 7 : block;
          assert.equal(fault?.block, named, `${name}: ${JSON.stringify(fault)}`);
          assert.ok(fault.organizationId.startsWith(second.slice(0, 35)));
        }
      }
    });

    it('says what was done to it, and where', async () => {
      const inBlock = sql`organization_id = ${second} and block = 2`;
      const copy = (place: number | null, block: number | null) => sql`
        insert into audit_entry (organization_id, entry_id, at, action, actor_kind, actor_id, outcome, detail, entry_hash, block, place)
        select organization_id, ${generateId()}, at, action, actor_kind, actor_id, outcome, detail, entry_hash, ${block}, ${place}
        from audit_entry where entry_id = ${at(0)}`;
      const rewritten = { ...(sealed[1] as StoredEntry), action: 'consent.recorded' };
      const cases: [string, Partial<Fault>, ...Sql[]][] = [
        [
          'an entry is deleted',
          { what: 'missing', block: 2, place: 2 },
          sql`delete from audit_entry where entry_id = ${at(2)}`,
        ],
        [
          'the last of a block is deleted',
          { what: 'missing', block: 2, place: 4 },
          sql`delete from audit_entry where entry_id = ${at(4)}`,
        ],
        [
          'all of a block are deleted',
          { what: 'missing', block: 2, place: 0 },
          sql`delete from audit_entry where ${inBlock}`,
        ],
        [
          'two entries are swapped',
          { what: 'order', entryId: at(3) },
          sql`update audit_entry set place = 4 - place where ${inBlock} and place in (1, 3)`,
        ],
        [
          'an entry is written anew with its hash',
          { what: 'content', entryId: at(1), place: 1 },
          sql`update audit_entry set action = ${rewritten.action}, entry_hash = ${hashAuditEntry(rewritten)} where entry_id = ${at(1)}`,
        ],
        ['one is put beside another', { what: 'extra', block: 2, place: 2 }, copy(2, 2)],
        ['one is put behind the others', { what: 'extra', block: 2, place: 5 }, copy(5, 2)],
        ['one is put into a block without a place', { what: 'extra', block: 2, place: null }, copy(null, 2)],
        ['one is put into a block that is not there', { what: 'missing', block: 9 }, copy(0, 9)],
        ['one is put into block 0', { what: 'missing', block: 0 }, copy(0, 0)],
        [
          'a block is deleted',
          { what: 'missing', block: 2, entryId: null },
          sql`delete from audit_block where ${inBlock}`,
        ],
        [
          'the last block is deleted',
          { what: 'missing', block: 3 },
          sql`delete from audit_block where organization_id = ${second} and block = 3`,
        ],
        [
          'a block is deleted with its entries',
          { what: 'missing', block: 1, entryId: null },
          sql`delete from audit_block where organization_id = ${second} and block = 1`,
          sql`delete from audit_entry where organization_id = ${second} and block = 1`,
        ],
      ];
      for (const [name, wanted, ...changes] of cases) {
        const fault = await findFaultAfter(db, ...changes);
        const found = Object.fromEntries(
          Object.keys(wanted).map((key) => [key, fault?.[key as keyof Fault]]),
        );
        assert.deepEqual(found, wanted, `${name}: ${JSON.stringify(fault)}`);
        assert.equal(fault?.organizationId, second);
      }
    });

    it('does not take for a checkpoint what is signed as something else', async () => {
      const keys = await importVerifyingKeys(await listAllSigningKeys(db));
      const { key, kid } = await createSealDeps(db).keys.getCurrentKey();
      const [checkpoint] = (await verifyChain(db)).checkpoints;
      const payload = Buffer.from(checkpoint?.split('.')[1] ?? '', 'base64url');
      const signedAs = (typ: string): Promise<string> =>
        new CompactSign(payload).setProtectedHeader({ alg: 'ES256', kid, typ }).sign(key);
      assert.ok(await readCheckpoint(await signedAs('audit-checkpoint+jwt'), keys));
      for (const typ of ['JWT', 'at+jwt', 'consent-receipt+jwt'])
        assert.equal(await readCheckpoint(await signedAs(typ), keys), null);
    });

    it('does not take a block that another key signed, whatever is put in the place of our keys', async () => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      const [kept] = await listAllSigningKeys(db);
      const { checkpoint: jws } = await one(
        db,
        sql<{
          checkpoint: string;
        }>`select checkpoint from audit_block where organization_id = ${second} and block = 3`,
      );
      const payload = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString());
      const forged = await signCheckpoint({ kid: kept?.kid ?? '', key: privateKey }, payload);
      const fault = await findFaultAfter(
        db,
        sql`update audit_block set checkpoint = ${forged}, block_hash = ${hashCheckpoint(forged)}
          where organization_id = ${second} and block = 3`,
        sql`update signing_key set public_jwk = ${JSON.stringify({ ...(await exportJWK(publicKey)), kid: kept?.kid })}
          where kid = ${kept?.kid}`,
      );
      assert.equal(fault?.what, 'signature');
    });

    it('shows by a checkpoint kept elsewhere that its newest blocks were cut off, which it cannot show itself', async () => {
      const { checkpoints } = await verifyChain(db);
      const kept = async function* () {
        yield 'eyJ0.eyJ0.none';
        yield* checkpoints;
      };
      let found: unknown;
      const deps = { db, keys: await importVerifyingKeys(await listAllSigningKeys(db)) };
      assert.deepEqual(await compareCheckpoints(deps, kept(), null), { compared: 2, fault: null });
      assert.equal((await compareCheckpoints(deps, kept(), second)).compared, 1);
      await db
        .tx(async (tx) => {
          await tx.query(
            sql`delete from audit_entry where organization_id = ${second} and (block = 3 or block is null)`,
          );
          await tx.query(sql`delete from audit_block where organization_id = ${second} and block = 3`);
          const { fault } = await verifyChain(tx);
          found = [fault, (await compareCheckpoints({ ...deps, db: tx }, kept(), null)).fault];
          throw new Undo();
        })
        .catch(() => {});
      const [itself, byKept] = found as [null, Fault];
      assert.equal(itself, null);
      assert.deepEqual([byKept.what, byKept.organizationId, byKept.block], ['missing', second, 3]);
    });

    it('leaves nothing torn when sealing dies in the middle, and seals the same entries later', async () => {
      const before = await verifyChain(db);
      await db.query(sql`
        create function crash() returns trigger language plpgsql as $$ begin raise 'crash'; end $$`);
      await db.query(
        sql`create trigger crash before insert on audit_block for each row execute function crash()`,
      );
      await assert.rejects(sealAll(createSealDeps(db)));
      assert.deepEqual(await verifyChain(db), before);
      await db.query(sql`drop trigger crash on audit_block`);
      assert.equal(await sealAll(createSealDeps(db)), before.unsealed);
      const { fault, unsealed, entries } = await verifyChain(db);
      assert.deepEqual([fault, unsealed, entries], [null, 0, before.entries + before.unsealed]);
    });

    it('stays verifiable when its keys are replaced, and replaced again', async () => {
      for (let turn = 0; turn < 3; turn++) {
        await rotateSigningKeys({ db, clock: systemClock });
        await createAuditLog({ db, clock: systemClock }).append(buildEntry(first));
        await sealAll(createSealDeps(db));
      }
      assert.equal((await verifyChain(db)).fault, null);
    });

    it('has one chain when several nodes seal at once, while entries come', async () => {
      const organization = generateId<OrganizationId>();
      const nodes = engine === 'postgresql' ? [db, openPostgres(store.databaseUrl as string)] : [db, db];
      const coming = new AbortController();
      const sealing = nodes.map(async (node) => {
        const deps = createSealDeps(node);
        while (!coming.signal.aborted || (await sealBlock(deps, organization)) > 0)
          await sealBlock(deps, organization);
      });
      const logs = nodes.map((node) => createAuditLog({ db: node, clock: systemClock }));
      for (let turn = 0; turn < 30; turn++)
        await Promise.all(logs.flatMap((log) => [1, 2, 3].map(() => log.append(buildEntry(organization)))));
      coming.abort();
      await Promise.all(sealing);
      const keys = await importVerifyingKeys(await listAllSigningKeys(db));
      const found = await verifyStore({ db, keys }, organization);
      assert.deepEqual([found.fault, found.entries, found.unsealed], [null, 180, 0]);
      if (nodes[1] !== db) await nodes[1]?.close();
    });
  });
}

describe('a long audit log', () => {
  let store: TestStore;
  let db: Db;
  before(async () => void ({ db } = store = await openTestStore('postgresql')));
  after(() => store.remove());

  it('is sealed in blocks of at most a thousand entries, and verified page by page', async () => {
    const organization = generateId<OrganizationId>();
    const audit = createAuditLog({ db, clock: systemClock });
    const deps = createSealDeps(db);
    for (let block = 0; block < 105; block++) {
      await audit.append(buildEntry(organization));
      await sealBlock(deps, organization);
    }
    const many = Array.from({ length: 4500 }, () => buildEntry(organization));
    await audit.writeAll(db, many);
    assert.equal(await sealAll(deps), 4500);
    await audit.writeAll(db, many.slice(0, 2100));
    const { organizations, blocks, entries, unsealed, fault } = await verifyChain(db);
    assert.deepEqual([organizations, blocks, entries, unsealed, fault], [1, 110, 4605, 2100, null]);
    for (const [place, block] of [
      [0, 105],
      [999, 107],
      [499, 110],
    ])
      assert.deepEqual(
        [
          await findFaultAfter(
            db,
            sql`update audit_entry set outcome = 'failed' where block = ${block} and place = ${place}`,
          ),
        ].map((fault) => [fault?.what, fault?.block, fault?.place]),
        [['content', block, place]],
      );
  });

  it('is asked for what waits by the index of that', async () => {
    await db.query(sql`analyze audit_entry_first`);
    for (const statement of [findNextUnsealedOrganization(null), findUnsealedHashes(generateId(), 1000)]) {
      const plan = await db.query<{ 'QUERY PLAN': string }>({
        text: `explain ${statement.text}`,
        values: statement.values,
      });
      assert.match(plan.map((line) => line['QUERY PLAN']).join('\n'), /audit_entry_first_unsealed/);
    }
  });
});

describe('entries from before the chain', () => {
  it('get by the migration the hash that they would have been written with', async () => {
    const db = openPostgres(await createDatabase({ template: 'template0' }));
    try {
      const migrations = await readMigrations();
      await migrate(
        db,
        migrations.filter(({ name }) => name < '0012'),
      );
      const odd = ODD.toWellFormed();
      for (const id of [generateId(), null])
        await db.query(sql`
          insert into audit_entry (organization_id, entry_id, at, action, actor_kind, actor_id, client, project_id, patient_id,
            consent_record_id, outcome, detail)
          values (${generateId()}, ${generateId()}, '2026-01-05T10:02:03.004Z', ${odd}, 'patient', ${odd}, ${id && odd}, ${id}, ${id}, ${id},
            'success', ${JSON.stringify({ [odd]: odd })})`);
      await migrate(db, migrations);
      const { fault, unsealed } = await verifyChain(db);
      assert.deepEqual([fault, unsealed], [null, 2]);
    } finally {
      await db.close();
    }
  });
});
