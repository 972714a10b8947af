import { failed, ok, skipped, warning } from './finding-sentences.ts';

/** What the systems beside the service show. */
export const FOUND_BESIDE = {
  no_mail_server: skipped('mail_server', 'There is no mail server to ask.'),
  outbox_unusable: failed(
    'mail_server',
    'Mails become files, and the user who asks cannot write them: {fault}.',
    'Make the folder CHARTGATE_DATA_DIR writable for the user who runs the service, or set SMTP_URL.',
  ),
  mail_server_ok: ok('mail_server', '{host} takes mails from here.'),
  mail_server_refuses: failed(
    'mail_server',
    '{host} takes no mails: {reason}.',
    'Correct SMTP_URL, or mend that server.',
  ),
  no_identity_provider: skipped('identity', 'No identity provider is configured.'),
  identity_ok: ok('identity', '{host} answers; its client needs the redirect URI {redirectUri}.'),
  identity_wrong: failed(
    'identity',
    '{host} does not answer as an OpenID Connect provider: {reason}.',
    'Correct CHARTGATE_OIDC_ISSUER: below it is /.well-known/openid-configuration, which names it as its issuer.',
  ),
  no_object_store: skipped('object_store', 'Originals and pictures of decisions are kept in the database.'),
  object_store_ok: ok('object_store', '{host} keeps, returns and deletes what is put there.'),
  object_store_wrong: failed(
    'object_store',
    '{host} does not keep files for the service ({reason}).',
    'Correct CHARTGATE_OBJECT_STORE_URL and its keys; the key must be allowed to put, read and delete objects.',
  ),
  backups_unknown: skipped(
    'backup',
    'Where backups are is not known; CHARTGATE_BACKUP_DIR, or --backups of the command, names their folder.',
  ),
  no_backup: failed(
    'backup',
    'There is no backup in {folder}.',
    'Let a timer run npx chartgate backup every day.',
  ),
  backup_broken: failed(
    'backup',
    '{file} is no complete backup.',
    'Let a timer run npx chartgate backup every day.',
  ),
  backup_ok: ok('backup', 'The newest backup is {hours} hours old.'),
  backup_old: warning(
    'backup',
    'The newest backup is {hours} hours old.',
    'Let a timer run npx chartgate backup every day.',
  ),
} as const;

/** What the store shows. */
export const FOUND_IN_STORE = {
  store_in_use: skipped(
    'database',
    'The embedded store belongs to the process that serves it; nobody else can look.',
  ),
  store_embedded: ok('database', 'The store is embedded.'),
  database_ok: ok('database', 'PostgreSQL {version}, and it keeps what it acknowledges.'),
  database_unencrypted: failed(
    'database',
    'The connection to the database is not encrypted, and the server is another machine.',
    'Add sslmode=verify-full to DATABASE_URL, and a certificate to the server.',
  ),
  database_old: failed('database', 'PostgreSQL is older than 15.', 'Upgrade it.'),
  database_standby: failed(
    'database',
    'DATABASE_URL names a standby, which takes no writes.',
    'Name the primary, or the proxy in front of it.',
  ),
  durability_off: failed(
    'database',
    '{name} is off: a power cut loses or damages what was acknowledged.',
    'Set {name} = on.',
  ),
  commit_not_synchronous: failed(
    'database',
    'synchronous_commit is off: a crash loses withdrawals that were acknowledged.',
    'Set synchronous_commit = on.',
  ),
  encoding_wrong: failed(
    'database',
    'The database has the encoding {encoding}.',
    'Create it with the encoding UTF8, and restore a backup.',
  ),
  no_checksums: warning(
    'database',
    'Pages have no checksums: a failing disk is noticed late.',
    'Run pg_checksums --enable while the server is stopped.',
  ),
  few_connections: warning(
    'database',
    'max_connections is {count}; two nodes take {minimum} at their busiest.',
    'Set max_connections to {minimum} or more.',
  ),
  no_archive: warning(
    'archive',
    'The server archives no log: what came after the last backup cannot be restored.',
    'docs/operations.md says what point-in-time recovery keeps that a daily backup loses.',
  ),
  archive_failing: failed(
    'archive',
    'archive_command fails: the log is not archived.',
    "Look at the server's log.",
  ),
  archive_ok: ok('archive', 'The log was last archived at {time}.'),
  archive_old: warning(
    'archive',
    'No log was archived for a day.',
    "Set archive_timeout, and look at the server's log.",
  ),
  space_ok: ok('space', 'The disk of the store takes everything.'),
  space_low: failed(
    'space',
    'The disk of the store has little space: uploads are refused.',
    'Make space on it, or lower CHARTGATE_RESERVE_BYTES where the whole disk is too small for it (docs/operations.md, "When the disk is full").',
  ),
  space_full: failed(
    'space',
    'The disk of the store is full: all but withdrawals is refused.',
    'Make space on it, or lower CHARTGATE_RESERVE_BYTES where the whole disk is too small for it (docs/operations.md, "When the disk is full").',
  ),
  id_unknown: failed(
    'settings',
    '{name} names what is not in the store: nothing answers there.',
    'Give it the id of what is meant, or take it away.',
  ),
  schema_ok: ok('schema', 'The schema of the store is that of this program ({newest}).'),
  schema_older: failed(
    'schema',
    'The store has the schema of an earlier Chartgate ({newest}); files of this one that it lacks: {count}.',
    'Make a backup, then run npx chartgate migrate or start this version.',
  ),
  schema_newer: failed(
    'schema',
    'The store was brought up to date by a newer Chartgate ({newest}).',
    'Use that version or a later one.',
  ),
  records_ok: ok('records', 'All records were read by the present rules.'),
  records_older: warning(
    'records',
    'Records that are served as the rules of an earlier version read them, with its labels of protected classes: {count}.',
    'The service reads them anew, one after another; npx chartgate reindex does it at once.',
  ),
  jobs_ok: ok('jobs', 'No job waits long, and none was given up.'),
  jobs_parked: warning(
    'jobs',
    'Background jobs that were given up: {count}.',
    'npx chartgate jobs lists them with their errors; npx chartgate jobs retry lets them begin anew.',
  ),
  jobs_waiting: warning(
    'jobs',
    'A job of the kind {kind} has waited for more than ten minutes.',
    'Start a node, or another one beside those that run.',
  ),
  secrets_ok: ok('secrets', 'All {count} secrets are sealed under the first key.'),
  secrets_lost: failed(
    'secrets',
    'Secrets that cannot be opened: {count}. They are sealed under a key that is not set, and whoever or whatever has them does not get in.',
    'Add that key to CHARTGATE_SECRETS_KEY, behind the present one.',
  ),
  secrets_keyless: failed(
    'secrets',
    'Secrets that cannot be opened: {count}. They are sealed under a key, and none is set.',
    'Set CHARTGATE_SECRETS_KEY to the key of before.',
  ),
  secrets_plain: warning(
    'secrets',
    'Secrets of authenticator apps, connected servers and webhooks are stored in plain text.',
    'Set CHARTGATE_SECRETS_KEY (docs/operations.md, "Secrets in the store").',
  ),
  secrets_waiting: warning(
    'secrets',
    'Secrets that are not sealed under the first key yet: {count} of {total}.',
    'The service seals them within the hour; until then keep the older key in CHARTGATE_SECRETS_KEY.',
  ),
} as const;
