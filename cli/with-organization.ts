import type { Command } from 'commander';
import type { OrganizationId } from '../contract/brands.ts';
import { findOrganizationsByNameOrId } from '../server/identity/organizations/organizations.sql.ts';
import { createAuditLog, type Audit } from '../server/platform/audit/append.ts';
import type { Db } from '../server/platform/db/db.ts';
import { systemClock, type Clock } from '../server/platform/kernel/clock.ts';
import { notFound, Refusal } from '../server/platform/kernel/refusal.ts';
import type { Config } from '../server/config.ts';
import { withDb } from './with-db.ts';

export interface OrganizationOptions {
  /** Its name or its id; not needed where there is one only. */
  organization?: string;
  json?: boolean;
}

/** Adds a command that works for an organization. */
export const addOrganizationCommand = (parent: Command, name: string, description: string): Command =>
  parent
    .command(name)
    .description(description)
    .option('--organization <name>', 'name or id of the organization (default: the only one)')
    .option('--json', 'print one JSON object');

/** The actor of the audit log for what is done on the command line of the server. */
export const OPERATOR = { kind: 'system', id: 'command-line' } as const;

interface Deps {
  db: Db;
  clock: Clock;
  audit: Audit;
  config: Config;
}

/** Runs `work` on the configured store for the organization that an option names, or for the only one. */
export const withOrganization = (
  { organization }: OrganizationOptions,
  work: (deps: Deps, organization: { organizationId: OrganizationId; name: string }) => Promise<void>,
): Promise<void> =>
  withDb(async (db, config) => {
    const [found, another] = await db.query(findOrganizationsByNameOrId(organization ?? null));
    if (!found) throw notFound('The organization');
    if (another)
      throw new Refusal(400, 'organization_required', {
        detail: 'There are several organizations; name one with --organization.',
      });
    const clock = systemClock;
    const { organization_id: organizationId, name } = found;
    await work({ db, clock, audit: createAuditLog({ db, clock }), config }, { organizationId, name });
  });
