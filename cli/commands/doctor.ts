import type { Command } from 'commander';
import { readCheckedConfig } from '../../server/check-environment.ts';
import type { Config } from '../../server/config.ts';
import { findOrganizationsByNameOrId } from '../../server/identity/organizations/organizations.sql.ts';
import { createApiKey, revokeApiKey } from '../../server/identity/organizations/api-keys.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { DirectoryInUseError } from '../../server/platform/db/directory-lock.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { openConfiguredDb } from '../../server/run.ts';
import { checkAddress } from '../doctor/check-address.ts';
import { checkBackups } from '../doctor/check-backups.ts';
import { checkIdentityProvider } from '../doctor/check-identity-provider.ts';
import { checkMailServer } from '../doctor/check-mail.ts';
import { checkObjectStore } from '../doctor/check-object-store.ts';
import { checkSecrets } from '../doctor/check-secrets.ts';
import { checkSettings } from '../doctor/check-settings.ts';
import { checkStore } from '../doctor/check-store.ts';
import { failed, formatFinding, skipped, type Finding } from '../doctor/finding.ts';
import { walk } from '../doctor/walk.ts';
import { printResult } from '../with-db.ts';
import { OPERATOR } from '../with-organization.ts';

interface Options {
  json?: boolean;
  organization?: string;
  backups?: string;
  /** false: `--no-walk`. */
  walk: boolean;
}

/** The key of a run is for minutes; its end matters only where the run is killed before it revokes the key. */
const KEY_MINUTES = 15;

/** `chartgate doctor` checks a deployment as a stranger would, and names what to mend; exits with 1 where something fails. */
export function configureDoctorCommand(command: Command): void {
  command
    .option('--backups <folder>', 'where backups are written; the newest is opened')
    .option('--organization <name>', 'name or id of the organization whose test patient is used')
    .option('--no-walk', 'create no test patient')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const findings = await examine(options);
      const isHealthy = findings.every(({ outcome }) => outcome !== 'failed');
      printResult(options, { isHealthy, findings }, [
        ...findings.flatMap(formatFinding),
        isHealthy ? 'Nothing fails.' : 'Something fails: mend it before patients are asked.',
      ]);
      if (!isHealthy) process.exitCode = 1;
    });
}

async function examine(options: Options): Promise<Finding[]> {
  const config = await readCheckedConfig(process.env);
  const address = await checkAddress(config.http.baseUrl);
  const isReached = address.every(({ outcome }) => outcome !== 'failed');
  return [
    ...checkSettings(config, process.env),
    ...address,
    await checkMailServer(config.mail.smtpUrl),
    await checkIdentityProvider(config.oidc, config.http.baseUrl),
    await checkObjectStore(config.objectStore),
    await checkBackups(options.backups, systemClock.now()),
    ...(await examineStore(config, { ...options, walk: options.walk && isReached })),
  ];
}

async function examineStore(config: Config, options: Options): Promise<Finding[]> {
  try {
    const db = await openConfiguredDb(config, 'as it is');
    try {
      return [
        ...(await checkStore(db, systemClock.now())),
        await checkSecrets(db, config.secrets),
        ...(await walkWithOwnKey(db, config, options)),
      ];
    } finally {
      await db.close();
    }
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error;
    return [
      skipped('database', 'The embedded store belongs to the process that serves it; nobody else can look.'),
      ...(await walkWithGivenKey(config, options)),
    ];
  }
}

/** Without access to the store, a key has to be given. */
async function walkWithGivenKey({ http }: Config, options: Options): Promise<Finding[]> {
  const { CHARTGATE_API_KEY: apiKey, CHARTGATE_API_SECRET: apiSecret } = process.env;
  const { organization: organizationId } = options;
  if (!options.walk || !apiKey || !apiSecret || organizationId === undefined)
    return [
      skipped(
        'test_patient',
        'No test patient was used; with --organization ID, and an admin key in CHARTGATE_API_KEY and CHARTGATE_API_SECRET, one is.',
      ),
    ];
  return walk({ baseUrl: http.baseUrl, organizationId, key: { apiKey, apiSecret } });
}

async function walkWithOwnKey(db: Db, { http }: Config, options: Options): Promise<Finding[]> {
  if (!options.walk) return [skipped('test_patient', 'No test patient was used.')];
  const [found, another] = await db.query(findOrganizationsByNameOrId(options.organization ?? null));
  if (!found)
    return [failed('test_patient', 'There is no such organization.', 'Create one: npx chartgate init.')];
  if (another)
    return [skipped('test_patient', 'There are several organizations; name one with --organization.')];
  const deps = { db, clock: systemClock, audit: createAuditLog({ db, clock: systemClock }) };
  const { organization_id: organizationId } = found;
  const manager = { organizationId, actor: OPERATOR, mayManageAdminKeys: true };
  const expiresAt = new Date(systemClock.now().getTime() + KEY_MINUTES * 60_000).toISOString();
  const key = await createApiKey(deps, manager, {
    name: 'chartgate doctor',
    role: 'admin',
    projectIds: null,
    expiresAt,
  });
  try {
    return await walk({ baseUrl: http.baseUrl, organizationId, key });
  } finally {
    await revokeApiKey(deps, { ...manager, apiKeyId: key.id }, { evenLast: true });
  }
}
