import { sql } from './sql.ts';

export interface ServerSettingsRow {
  version: number;
  encoding: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  data_checksums: string;
  max_connections: number;
  archive_mode: string;
  is_standby: boolean;
}

/** Selects the settings of PostgreSQL on which it depends that nothing acknowledged is lost. */
export const selectServerSettings = () => sql<ServerSettingsRow>`
  select current_setting('server_version_num')::int as version,
    current_setting('server_encoding') as encoding,
    current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('data_checksums') as data_checksums,
    current_setting('max_connections')::int as max_connections,
    current_setting('archive_mode') as archive_mode,
    pg_is_in_recovery() as is_standby`;

/** Selects how this connection reaches the server; no row on an engine without connections. */
export const selectOwnConnection = () => sql<{ ssl: boolean; is_local: boolean }>`
  select s.ssl, a.client_addr is null or a.client_addr << '127.0.0.0/8' or a.client_addr = '::1' as is_local
  from pg_stat_ssl s join pg_stat_activity a on a.pid = s.pid
  where s.pid = pg_backend_pid()`;

/** Selects when the server last archived its log (`archive_command`), and whether that fails now. */
export const selectArchiver = () => sql<{ last_archived_time: Date | null; is_failing: boolean }>`
  select last_archived_time,
    last_failed_time is not null and (last_archived_time is null or last_failed_time > last_archived_time) as is_failing
  from pg_stat_archiver`;
