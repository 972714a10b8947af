import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestClock } from '../../../../test/harness/clock.ts';
import { JOURNEY_ENGINES, openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { markClientUsed } from './clients.sql.ts';
import type { Client } from './client-metadata.ts';
import { findClient, purgeClients } from './client-directory.ts';
import { registerClient } from './register-client.ts';

const URI = 'https://agent.example/cb';
const DOCUMENT = 'https://agent.example/client.json';
const DAY = 24 * 3600 * 1000;

for (const engine of JOURNEY_ENGINES) {
  describe(`findClient (${engine})`, () => {
    let store: TestStore;
    const clock = createTestClock();
    const documented: Client = {
      clientId: DOCUMENT,
      name: 'Agent',
      host: 'agent.example',
      redirectUris: [URI],
      grantTypes: null,
      scope: 'patient/*.read',
      about: null,
    };
    const find = (clientId: string) =>
      findClient(
        {
          db: store.db,
          documents: { find: async (url) => (url === DOCUMENT ? documented : null) },
          consumeQuota: () => undefined,
        },
        clientId,
      );
    const register = async (more: object = {}): Promise<string> =>
      (await registerClient({ db: store.db, clock }, { redirect_uris: [URI], ...more })).client_id;

    before(async () => {
      store = await openTestStore(engine);
    });
    after(() => store.remove());

    it('finds a registered client as it registered', async () => {
      const uris = [URI, "http://[::1]/a,b?c='d'", 'cursor://x/NULL'];
      const id = await register({
        client_name: 'Dr. "O\\Neil", {Agent} NULL',
        redirect_uris: uris,
        grant_types: ['authorization_code', 'refresh_token'],
        scope: 'patient/*.read',
        policy_uri: 'https://agent.example/privacy',
      });
      assert.deepEqual(await find(id), {
        clientId: id,
        name: 'Dr. "O\\Neil", {Agent} NULL',
        host: null,
        redirectUris: uris,
        grantTypes: ['authorization_code', 'refresh_token'],
        scope: 'patient/*.read',
        about: { clientUri: null, policyUri: 'https://agent.example/privacy', tosUri: null, contacts: [] },
      });
      assert.equal((await find(await register()))?.grantTypes, null);
    });

    it('finds a documented client by its URL', async () => {
      assert.deepEqual(await find(DOCUMENT), documented);
    });

    it('finds no client by any other id', async () => {
      const id = await register();
      for (const clientId of [
        '',
        'x',
        "'; drop table oauth_client; --",
        '00000000-0000-4000-8000-000000000000',
        id.toUpperCase(),
        `{${id}}`,
        id.replaceAll('-', ''),
        `${id} `,
        `${id}\n`,
        `urn:uuid:${id}`,
        'http://agent.example/client.json',
        'a\u0000b',
      ]) {
        assert.equal(await find(clientId), null, JSON.stringify(clientId));
      }
    });

    it('deletes clients that requested no authorization within 30 days, and keeps the others', async () => {
      const [unused, used] = [await register(), await register()];
      clock.advance(29 * DAY);
      const recent = await register();
      await store.db.query(markClientUsed(used, clock.now()));
      await purgeClients({ db: store.db, clock });
      assert.ok(await find(unused), 'not yet');
      clock.advance(2 * DAY);
      await purgeClients({ db: store.db, clock });
      assert.equal(await find(unused), null);
      assert.ok(await find(used));
      assert.ok(await find(recent));
      clock.advance(40 * DAY);
      await purgeClients({ db: store.db, clock });
      assert.ok(await find(used));
      assert.equal(await find(recent), null);
    });

    it('case 376: deletes the oldest of too many such clients after a day', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) {
        ids.push(await register());
        clock.advance(1000);
      }
      const findAll = () => Promise.all(ids.map(async (id) => (await find(id)) !== null));
      await purgeClients({ db: store.db, clock }, 2);
      assert.deepEqual(await findAll(), [true, true, true, true], 'a day is everybody’s');
      clock.advance(DAY);
      ids.push(await register());
      await purgeClients({ db: store.db, clock }, 2);
      assert.deepEqual(await findAll(), [false, false, true, true, true]);
    });
  });
}
