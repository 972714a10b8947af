import type { DoctorFinding } from '../../../../../contract/organization/doctor/doctor.ts';
import type { CheckName } from '../../../../../contract/organization/doctor/findings.ts';

const checks: Record<CheckName, string> = {
  settings: 'Settings',
  mail: 'Mail settings',
  name_servers: 'Name servers',
  reachable: 'Address',
  ready: 'Readiness',
  clock: 'Clock',
  issuer: 'Own name',
  challenge: 'Sign-in of agents',
  large_uploads: 'Large uploads',
  certificate: 'Certificate',
  plain_http: 'Without TLS',
  mail_server: 'Mail server',
  identity: 'Identity provider',
  object_store: 'Object store',
  backup: 'Backup',
  database: 'Database',
  schema: 'Schema of the store',
  archive: 'Archive of the database',
  space: 'Space of the store',
  records: 'Records',
  jobs: 'Background jobs',
  secrets: 'Stored secrets',
  test_patient: 'Test patient',
  api_key: 'API key',
  upload: 'Upload',
  consent: 'Consent',
  mcp: 'Read by an agent',
  withdrawal: 'Withdrawal',
  doctor: 'The check itself',
};

const outcomes: Record<DoctorFinding['outcome'], string> = {
  ok: 'In order',
  warning: 'Warning',
  failed: 'Fails',
  skipped: 'Not checked',
};

/** The check of the deployment, which the command `chartgate doctor` makes too. */
export const systemCheck = {
  title: 'System check',
  lead: 'Whether this installation works for patients and agents, and what to mend where it does not.',
  startTitle: 'Check now',
  what: 'The service looks at itself as a stranger would: its address, certificate and clock. Where your organization is the only one here, also mail, database, backups and stored secrets.',
  patient:
    'Then a made-up patient of yours uploads a record, consents, is read by an agent and withdraws, in a project called “Chartgate doctor”. The patient is deleted afterwards. Webhooks for all projects get the events.',
  start: 'Check the system',
  running: 'The check is running',
  runsAlready: 'A check is running already. Wait until it has ended.',
  progress: (done: string, all: string) => `${done} of ${all} steps are done. It takes up to a few minutes.`,
  empty: 'Nobody has checked this installation from here yet.',
  lastTitle: 'Last check',
  by: (name: string) => `Asked for by ${name}, ended`,
  somebody: 'an API key',
  healthy: 'Everything works.',
  warns: 'Everything works. Something should be looked at.',
  fails: 'Something fails. Have it mended before you ask more patients.',
  remedy: 'To mend it:',
  checks,
  outcomes,
};

export type SystemCheckWords = typeof systemCheck;
