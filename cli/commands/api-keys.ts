import type { Command } from 'commander';
import type { OrganizationId } from '../../contract/brands.ts';
import { ApiKeyId } from '../../contract/brands.ts';
import { NewApiKey, rotateApiKey as rotation, type ApiKey } from '../../contract/organization/api-keys.ts';
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  type ApiKeyDeps,
  type KeyManager,
} from '../../server/identity/organizations/api-keys.ts';
import { parse } from '../../server/platform/http/serve.ts';
import { notFound } from '../../server/platform/kernel/refusal.ts';
import {
  addOrganizationCommand,
  OPERATOR,
  withOrganization,
  type OrganizationOptions,
} from '../with-organization.ts';
import { printResult } from '../with-db.ts';

/** `chartgate api-keys list|create|rotate|revoke`: for whoever is locked out, or has no admin key left. */
export function configureApiKeysCommand(command: Command): void {
  const add = (name: string, description: string): Command =>
    addOrganizationCommand(command, name, description);
  add('list', 'list the keys of an organization, those that have ended too').action(list);
  add('create', 'create a key; its secret is shown once')
    .requiredOption('--name <text>', 'what uses it')
    .requiredOption('--role <role>', 'admin, researcher or developer')
    .option('--project <id...>', 'limit a researcher key to these projects')
    .option('--expires-at <time>', 'when it ends, such as 2027-01-31T00:00:00Z, or never (default: a year)')
    .action(create);
  add('rotate', 'create a new secret of a key; it is shown once')
    .argument('<key>', 'the key, or its id')
    .option('--grace-seconds <seconds>', 'how long the secret before is accepted (default: a day)')
    .action(rotate);
  add('revoke', 'end a key and every token obtained with it, at once')
    .argument('<key>', 'the key, or its id')
    .option('--even-last', 'also the only admin key of the organization')
    .action(revoke);
}

const list = (options: OrganizationOptions): Promise<void> =>
  withOrganization(options, async ({ db, clock }, { organizationId }) => {
    const page = { limit: 1000, offset: 0, now: clock.now() };
    const { results } = await listApiKeys(db, organizationId, page);
    printResult(
      options,
      { apiKeys: results },
      results.length === 0 ? ['There are no API keys.'] : results.map(formatKey),
    );
  });

interface CreateOptions extends OrganizationOptions {
  name: string;
  role: string;
  project?: string[];
  expiresAt?: string;
}

async function create(options: CreateOptions): Promise<void> {
  const { name, role, project = null, expiresAt } = options;
  const end = expiresAt === 'never' ? { expiresAt: null } : expiresAt !== undefined && { expiresAt };
  const input = parse(NewApiKey, { name, role, projectIds: project, ...end }, '');
  await withOrganization(options, async (deps, { organizationId }) => {
    const created = await createApiKey(deps, toManager(organizationId), input);
    printResult(options, created, [
      formatKey(created),
      '',
      'This secret is shown once:',
      `  ${created.apiSecret}`,
    ]);
  });
}

const rotate = (key: string, options: OrganizationOptions & { graceSeconds?: string }): Promise<void> =>
  withOrganization(options, async (deps, { organizationId }) => {
    const { graceSeconds } = options;
    const input = parse(
      rotation.body,
      graceSeconds === undefined
        ? {}
        : { graceSeconds: /^\d+$/.test(graceSeconds) ? Number(graceSeconds) : Number.NaN },
      '',
    );
    const apiKeyId = await findKey(deps, organizationId, key);
    const rotated = await rotateApiKey(deps, { ...toManager(organizationId), apiKeyId }, input);
    printResult(options, rotated, [
      formatKey(rotated.apiKey),
      `The secret before is accepted until ${rotated.previousExpiresAt}.`,
      '',
      'This secret is shown once:',
      `  ${rotated.apiSecret}`,
    ]);
  });

const revoke = (key: string, options: OrganizationOptions & { evenLast?: boolean }): Promise<void> =>
  withOrganization(options, async (deps, { organizationId }) => {
    const apiKeyId = await findKey(deps, organizationId, key);
    const command = { ...toManager(organizationId), apiKeyId };
    const revoked = await revokeApiKey(deps, command, { evenLast: options.evenLast === true });
    printResult(options, { apiKey: revoked }, [
      formatKey(revoked),
      'Running nodes refuse it, and every token obtained with it, from now on.',
    ]);
  });

const toManager = (organizationId: OrganizationId): KeyManager => ({
  organizationId,
  actor: OPERATOR,
  role: 'owner',
});

/** Finds a key by what a program presents, which is what somebody has who found it where it should not be, or by its id. */
async function findKey(
  { db, clock }: ApiKeyDeps,
  organizationId: OrganizationId,
  key: string,
): Promise<ApiKeyId> {
  const named = ApiKeyId.safeParse(key);
  if (named.success) return named.data;
  const { results } = await listApiKeys(db, organizationId, { limit: 10_000, offset: 0, now: clock.now() });
  const found = results.find(({ apiKey }) => apiKey === key);
  if (!found) throw notFound('The API key');
  return found.id;
}

function formatKey({ id, apiKey, name, role, state, lastUsedAt, expiresAt }: ApiKey): string {
  const use = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt.slice(0, 13)}h`;
  const end = expiresAt === null ? 'does not expire' : `until ${expiresAt.slice(0, 10)}`;
  return `${apiKey}  ${id}  ${role}, ${state}, ${use}, ${end}: ${name}`;
}
