import type { Command } from 'commander';
import { readCheckedConfig } from '../../server/check-environment.ts';
import { createSourceSecrets } from '../../server/clinical/sources/stored-secrets.ts';
import type { Config } from '../../server/config.ts';
import { createMemberSecrets } from '../../server/identity/members/stored-secrets.ts';
import { findOrganizationsByNameOrId } from '../../server/identity/organizations/organizations.sql.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { DirectoryInUseError } from '../../server/platform/db/directory-lock.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { openConfiguredDb } from '../../server/run.ts';
import type { DeploymentConfig } from '../../server/surfaces/doctor/deployment.ts';
import { examine } from '../../server/surfaces/doctor/examine.ts';
import { createFinding, type Finding } from '../../server/surfaces/doctor/finding.ts';
import { walkWithGivenKey } from '../../server/surfaces/doctor/walk-with-given-key.ts';
import { walkWithOwnKey } from '../../server/surfaces/doctor/walk-with-own-key.ts';
import { createWebhookSecrets } from '../../server/surfaces/webhooks/registration/stored-secrets.ts';
import { formatFinding } from '../doctor/format-finding.ts';
import { printResult } from '../with-db.ts';
import { OPERATOR } from '../with-organization.ts';

interface Options {
  json?: boolean;
  organization?: string;
  backups?: string;
  /** false: `--no-walk`. */
  walk: boolean;
}

/** `chartgate doctor` checks a deployment as a stranger would, and names what to mend; exits with 1 where something fails. */
export function configureDoctorCommand(command: Command): void {
  command
    .option('--backups <folder>', 'where backups are written; the newest is opened')
    .option('--organization <name>', 'name or id of the organization whose test patient is used')
    .option('--no-walk', 'create no test patient')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const findings = await examineDeployment(options);
      const isHealthy = findings.every(({ outcome }) => outcome !== 'failed');
      printResult(options, { isHealthy, findings }, [
        ...findings.flatMap(formatFinding),
        isHealthy ? 'Nothing fails.' : 'Something fails: mend it before patients are asked.',
      ]);
      if (!isHealthy) process.exitCode = 1;
    });
}

async function examineDeployment(options: Options): Promise<Finding[]> {
  const read = await readCheckedConfig(process.env);
  const config = { ...read, backups: { folder: options.backups ?? read.backups.folder } };
  const db = await openUnlessInUse(read);
  try {
    const store = db && {
      db,
      secretStores: [createMemberSecrets(db), createSourceSecrets(db), createWebhookSecrets(db)],
    };
    const walkWith = () => (db ? walkAsOperator(db, config, options) : walkAsKeyHolder(config, options));
    const findings: Finding[] = [];
    for await (const found of examine({ config, store, walk: options.walk ? walkWith : null }))
      findings.push(...found);
    return findings;
  } finally {
    await db?.close();
  }
}

/** Null: the embedded store belongs to the process that serves it. */
async function openUnlessInUse(config: Config): Promise<Db | null> {
  try {
    return await openConfiguredDb(config, 'existing, as it is');
  } catch (error) {
    if (error instanceof DirectoryInUseError) return null;
    throw error;
  }
}

/** Without access to the store, a key has to be given. */
function walkAsKeyHolder({ http }: DeploymentConfig, { organization }: Options): Promise<Finding[]> {
  const { CHARTGATE_API_KEY: apiKey, CHARTGATE_API_SECRET: apiSecret } = process.env;
  return !apiKey || !apiSecret
    ? Promise.resolve([createFinding('walk_needs_key')])
    : walkWithGivenKey({
        baseUrl: http.baseUrl,
        nameOrId: organization ?? null,
        key: { apiKey, apiSecret },
      });
}

async function walkAsOperator(db: Db, { http }: DeploymentConfig, options: Options): Promise<Finding[]> {
  const [found, another] = await db.query(findOrganizationsByNameOrId(options.organization ?? null));
  if (!found) return [createFinding('no_organization')];
  if (another) return [createFinding('several_organizations')];
  const deps = { db, clock: systemClock, audit: createAuditLog({ db, clock: systemClock }) };
  const { organization_id: organizationId } = found;
  return walkWithOwnKey(deps, { organizationId, actor: OPERATOR, baseUrl: http.baseUrl });
}
