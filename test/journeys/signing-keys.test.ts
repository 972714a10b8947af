import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { rotateSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { call, getOrganizationToken, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => void (service = await startTestService()));
after(() => service.stop());

const MINUTE = 60_000;
const getKid = (token: string): string => decodeProtectedHeader(token).kid as string;
const rotate = (): Promise<string> => rotateSigningKeys({ db: service.store.db, clock: service.clock });

async function fetchKids(): Promise<string[]> {
  const { body } = await call(service, '/.well-known/jwks.json');
  return body.keys.map((key: { kid: string }) => key.kid);
}

const getStatus = async (token: string): Promise<number> =>
  (await call(service, `/v1/organizations/${service.organization.organizationId}/test-patients`, { token }))
    .status;

describe('the signing keys', () => {
  it('are published as a JWK set of public parts, the next one before it signs', async () => {
    const { status, body } = await call(service, '/.well-known/jwks.json');
    assert.equal(status, 200);
    assert.equal(body.keys.length, 2);
    for (const key of body.keys)
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  it('rotate: tokens of the last key stay valid, new ones carry the new key, and it takes two more rotations to end the old', async () => {
    const old = await getOrganizationToken(service);
    const unused = await getOrganizationToken(service, 'researcher');
    const [, announced] = await fetchKids();
    const kid = await rotate();
    assert.equal(kid, announced);
    service.clock.advance(MINUTE);
    const fresh = await getOrganizationToken(service);
    assert.equal(getKid(fresh), kid);
    assert.notEqual(getKid(fresh), getKid(old));
    assert.equal(await getStatus(old), 200);
    assert.equal((await fetchKids()).length, 3);

    await rotate();
    service.clock.advance(MINUTE);
    assert.equal((await fetchKids()).includes(getKid(old)), false);
    assert.equal(await getStatus(unused), 401, 'a token that was never used');
    assert.equal(await getStatus(old), 401, 'a token that was used before');
    assert.equal(await getStatus(fresh), 200);
  });

  it('let a token end after an hour', async () => {
    const token = await getOrganizationToken(service);
    assert.equal(await getStatus(token), 200);
    service.clock.advance(60 * MINUTE);
    assert.equal(await getStatus(token), 401);
  });

  it('forget the private part of a key that signs no more', async () => {
    await rotate();
    const rows = await service.store.db.query(
      sql<{
        state: string;
        private_jwk: string;
      }>`select state, private_jwk::text as private_jwk from signing_key`,
    );
    for (const { state, private_jwk } of rows)
      assert.equal(private_jwk === '{}', ['previous', 'retired'].includes(state), state);
  });

  it('are made once when two nodes start at the same time', async () => {
    await service.store.db.query(sql`delete from signing_key`);
    await Promise.all([rotate(), rotate()]);
    const rows = await service.store.db.query(
      sql<{ state: string; count: number }>`select state, count(*) as count from signing_key group by state`,
    );
    assert.deepEqual(Object.fromEntries(rows.map(({ state, count }) => [state, count])), {
      next: 1,
      current: 1,
      previous: 1,
      retired: 1,
    });
  });
});
