import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installFromDebian } from './debian.ts';
import { findFreePort, getUnprivilegedUser } from './postgres.ts';

export interface TestPgBouncer {
  /** The URL of the same database, by PgBouncer. */
  url: string;
  stop(): Promise<void>;
}

const BINARY = '/usr/sbin/pgbouncer';

/** Whether PgBouncer is here, installed if need be: it is of Debian alone. */
export const hasPgBouncer = (): boolean =>
  fs.existsSync(BINARY) || (installFromDebian('pgbouncer') && fs.existsSync(BINARY));

/** Starts PgBouncer in front of a database, with more settings than it has by itself. */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<TestPgBouncer> {
  const server = new URL(databaseUrl);
  const port = await findFreePort();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-pgbouncer-'));
  const user = getUnprivilegedUser();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: path.join(folder, 'users.txt'),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const databases = `* = host=${server.hostname} port=${server.port}`;
  const file = path.join(folder, 'pgbouncer.ini');
  fs.writeFileSync(file, `[databases]\n${databases}\n[pgbouncer]\n${lines.join('\n')}\n`);
  fs.writeFileSync(all.auth_file, `"${server.username}" "${server.password}"\n`);
  // A test before in this process may have restricted what is new to its owner (umask).
  for (const name of [file, all.auth_file]) fs.chmodSync(name, 0o644);
  fs.chmodSync(folder, 0o755);
  const child = spawn(BINARY, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.once('exit', (code) => reject(new Error(`PgBouncer ended with ${code}: ${output}`)));
    child.stderr.on('data', (bytes: Buffer) => {
      output += String(bytes);
      if (/process up/.test(output)) resolve();
    });
  });
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      process.off('exit', kill);
      child.removeAllListeners('exit');
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
