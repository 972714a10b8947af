import fs from 'node:fs';
import { writeBackup } from '../../server/platform/backup/write-backup.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { raw } from '../../server/platform/db/sql.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import type { CreatedOrganization } from '../../server/identity/members/create-organization.ts';
import { findFreePort, startPostgres, type TestPostgres } from '../harness/postgres.ts';
import { startWebhookReceiver } from '../harness/webhook-receiver.ts';
import { createServerNode } from '../storage/server-node.ts';
import { checkOutProgram } from './earlier-program.ts';
import { BASE_URL, fillStore, type Known } from './fill-store.ts';
import { getBackupFile, getKnownFile, RELEASES, type Release } from './releases.ts';

/**
 * `node test/upgrade/make-store.ts [SCHEMA…]` makes the stores of earlier programs again: each is checked out, serves an empty
 * PostgreSQL, is used over HTTP, and is stopped; what it left is written as a backup, which is the same on both engines.
 */
async function makeStore(release: Release, postgres: TestPostgres): Promise<void> {
  const program = checkOutProgram(release.commit);
  const receiver = await startWebhookReceiver();
  const database = new URL(postgres.url);
  const admin = openPostgres(database.href);
  await admin.query(raw(`create database store_${release.schema}`));
  await admin.close();
  database.pathname = `/store_${release.schema}`;
  const environment = {
    DATABASE_URL: database.href,
    CHARTGATE_DATA_DIR: `${program.root}/data`,
    CHARTGATE_BASE_URL: BASE_URL,
    CHARTGATE_ALLOWED_HOSTS: '127.0.0.1',
    CHARTGATE_WEBHOOK_ALLOW_PRIVATE: '1',
    NODE_EXTRA_CA_CERTS: receiver.authorityFile,
  };
  const init = ['init', '--organization', 'Riverside Clinic', '--project', 'Asthma study', '--json'];
  const organization = JSON.parse(await program.run(init, environment)) as CreatedOrganization;
  const node = createServerNode(await findFreePort(), environment, program.root);
  await node.start();
  try {
    const webhookUrl = receiver.localUrl('/hook');
    const known = await fillStore({ baseUrl: node.baseUrl, organization, webhookUrl }, release.schema);
    await node.stop();
    await writeStore(release, { databaseUrl: database.href, known });
  } finally {
    await node.kill();
    await receiver.stop();
    program.remove();
  }
}

async function writeStore(
  release: Release,
  { databaseUrl, known }: { databaseUrl: string; known: Known },
): Promise<void> {
  const db = openPostgres(databaseUrl);
  const file = getBackupFile(release);
  fs.rmSync(file, { force: true });
  const { tables } = await writeBackup({ db, clock: systemClock }, file);
  await db.close();
  fs.chmodSync(file, 0o644);
  fs.writeFileSync(getKnownFile(release), `${JSON.stringify(known, null, 2)}\n`);
  const filled = tables.filter(({ rows }) => rows > 0).length;
  console.log(
    `${release.schema}: ${filled} of ${tables.length} tables have rows, ${fs.statSync(file).size} bytes`,
  );
}

// Each node that is made listens for the end of this process.
process.setMaxListeners(0);
const wanted = process.argv.slice(2);
const postgres = await startPostgres();
try {
  for (const release of RELEASES)
    if (wanted.length === 0 || wanted.includes(release.schema)) await makeStore(release, postgres);
} finally {
  await postgres.stop();
}
