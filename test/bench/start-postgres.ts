import { startPostgres, type TestPostgres } from '../harness/postgres.ts';

/**
 * Starts PostgreSQL as in production: what is acknowledged is on disk. Everything that is measured, floors included, reaches it
 * by its Unix socket, as on one machine it should be; `CHARTGATE_BENCH_TCP=1` has all of it go through TCP.
 */
export async function startBenchPostgres(settings: Record<string, string> = {}): Promise<TestPostgres> {
  const postgres = await startPostgres({ settings: { fsync: 'on', ...settings } });
  const isOverTcp = process.env['CHARTGATE_BENCH_TCP'] === '1' || postgres.data === undefined;
  return isOverTcp ? postgres : { ...postgres, url: buildSocketUrl(postgres.url, postgres.data ?? '') };
}

/** With the folder in the host's place: what replaces the database at its end does so still. */
const buildSocketUrl = (url: string, folder: string): string => {
  const { username, port, pathname } = new URL(url);
  return `postgresql://${username}@${encodeURIComponent(folder)}:${port}${pathname}`;
};
