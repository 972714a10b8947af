import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig, type Config } from '../../server/config.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { run } from '../../server/run.ts';
import { findFreePort } from '../harness/postgres.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';

describe('the start of a service', () => {
  const configure = async (
    { databaseUrl = '', dataDirectory }: TestStore,
    more: Record<string, string>,
  ): Promise<Config> =>
    readConfig({
      PORT: String(await findFreePort()),
      DATABASE_URL: databaseUrl,
      CHARTGATE_DATA_DIR: dataDirectory,
      CHARTGATE_RESERVE_BYTES: '0',
      CHARTGATE_LOG_LEVEL: 'silent',
      ...more,
    });

  it('refuses a project and an organization that are not there by the names of their settings, and warns while there is none at all', async (t) => {
    const store = await openTestStore('postgresql');
    t.after(() => store.remove());
    const [projectId, organizationId] = [generateId(), generateId()];
    const config = await configure(store, {
      CHARTGATE_OAUTH_PROJECT_ID: projectId,
      CHARTGATE_OIDC_ISSUER: 'https://login.clinic.example',
      CHARTGATE_OIDC_CLIENT_ID: 'chartgate',
      CHARTGATE_OIDC_CLIENT_SECRET: 'secret',
      CHARTGATE_OIDC_ROLES: 'groups; a=owner',
      CHARTGATE_OIDC_ORGANIZATION_ID: organizationId,
    });
    const running = await run(config);
    await running.stop();
    assert.deepEqual(
      running.warnings.map((warning) => warning.split(' ').slice(0, 3).join(' ')),
      ['CHARTGATE_OAUTH_PROJECT_ID names what', 'CHARTGATE_OIDC_ORGANIZATION_ID names what'],
    );

    await store.db.query(sql`insert into organization (organization_id, name, created_at)
      values (${organizationId}, 'Clinic', now())`);
    await store.db.query(sql`insert into project (project_id, organization_id, name, purpose, created_at)
      values (${generateId()}, ${organizationId}, 'Study', null, now())`);
    await assert.rejects(run(config), {
      code: 'configuration',
      faults: ['CHARTGATE_OAUTH_PROJECT_ID must be an id that is in the store: there is nothing of this id'],
    });

    await store.db.query(sql`insert into project (project_id, organization_id, name, purpose, created_at)
      values (${projectId}, ${organizationId}, 'Other study', null, now())`);
    const served = await run(config);
    await served.stop();
    assert.deepEqual(served.warnings, []);
  });
});
