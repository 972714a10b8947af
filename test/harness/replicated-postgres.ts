import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import {
  findFreePort,
  findPostgres,
  getUnprivilegedUser,
  startPostgres,
  type TestPostgres,
} from './postgres.ts';

export interface ReplicatedPostgres {
  /** Names both servers. */
  url: string;
  /** Kills the primary and promotes the standby: resolves when that takes writes. There is no standby then. */
  failOver(): Promise<void>;
  /** Puts a new standby in the place of the server that was killed, and has commits wait for it again. */
  replaceStandby(): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS = { jit: 'off', autovacuum: 'off', wal_level: 'replica', hot_standby: 'on' };

/** A primary and a standby; a commit is acknowledged once it is on both (`synchronous_standby_names`). */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const ports = [await findFreePort(), await findFreePort()];
  let primary = await startPostgres({ settings: SETTINGS, port: ports[0] as number });
  let standby = await startStandby(primary, ports[1] as number);
  await setSynchronous(primary, '*');
  return {
    url: `postgresql://chartgate@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`,
    async failOver() {
      await primary.stop();
      primary = standby;
      await execute(primary, 'select pg_promote(true, 60)');
      await setSynchronous(primary, '');
    },
    async replaceStandby() {
      const port = ports.find((each) => !primary.url.includes(`:${each}/`)) as number;
      standby = await startStandby(primary, port);
      await setSynchronous(primary, '*');
    },
    stop: async () => void (await Promise.all([primary.stop(), standby.stop()])),
  };
}

async function execute(server: TestPostgres, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function setSynchronous(primary: TestPostgres, names: string): Promise<void> {
  await execute(primary, `alter system set synchronous_standby_names = '${names}'`);
  await execute(primary, 'select pg_reload_conf()');
}

/** Starts a server from a copy of the primary's files, which goes on from there. */
async function startStandby(primary: TestPostgres, port: number): Promise<TestPostgres> {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-standby-'));
  const user = getUnprivilegedUser();
  if (user.uid !== undefined) fs.chownSync(parent, user.uid, user.gid);
  const copy = path.join(parent, 'data');
  const options = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync'];
  const from = ['-h', '127.0.0.1', '-p', new URL(primary.url).port, '-U', 'chartgate', '-D', copy];
  execFileSync(path.join(findPostgres() ?? '', 'pg_basebackup'), [...options, ...from], {
    ...user,
    cwd: parent,
    stdio: 'ignore',
  });
  // It is a standby before anybody waits for it.
  const standby = await startPostgres({ settings: SETTINGS, port, template: copy });
  fs.rmSync(parent, { recursive: true, force: true });
  return standby;
}
