import type { z } from 'zod';
import * as contract from '../../../contract/organization/organization.ts';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { OrganizationId } from '../../../contract/brands.ts';
import type { Contact } from '../../../contract/organization/projects.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import { maybeOne, one, type Db, type Queryable } from '../../platform/db/db.ts';
import { serve, serveRaw, type Routes } from '../../platform/http/serve.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { toBrand } from './brand.ts';
import { buildMark } from './mark.ts';
import { sendMark } from './mark-dialect.ts';
import { deleteMark, findMark, upsertMark, type MarkRow } from './marks.sql.ts';
import * as statements from './organizations.sql.ts';
import { requireKnownZone } from './time-zone.ts';

/** Registers the endpoints for how an organization presents itself to people. */
export function registerOrganizationRoutes(routes: Routes, { db, audit }: { db: Db; audit: Audit }): void {
  serve(routes, contract.getOrganization, ({ params: { orgId } }) => findOrganizationDto(db, orgId));
  serve(routes, contract.updateOrganization, ({ params: { orgId }, caller, body }) =>
    db.tx(async (tx) => {
      await tx.query(statements.lockOrganization(orgId));
      const before = await findOrganizationDto(tx, orgId);
      const after = { ...before, ...dropUndefined(body) };
      if (JSON.stringify(after) === JSON.stringify(before)) return before;
      if (after.timeZone !== before.timeZone) await requireKnownZone(tx, after.timeZone);
      await tx.query(statements.updateOrganization(orgId, after));
      await audit.write(tx, {
        organizationId: orgId,
        action: 'organization.updated',
        actor: toActor(caller),
        detail: { changed: Object.keys(dropUndefined(body)) },
      });
      return findOrganizationDto(tx, orgId);
    }),
  );
  const changeMark = (caller: OrganizationCaller, mark: MarkRow | null): Promise<OrganizationDto> =>
    db.tx(async (tx) => {
      const { organizationId } = caller;
      await tx.query(statements.lockOrganization(organizationId));
      const before = await findOrganizationDto(tx, organizationId);
      if ((before.brand?.mark ?? null) === (mark?.hash ?? null)) return before;
      await tx.query(mark === null ? deleteMark(organizationId) : upsertMark(mark));
      await audit.write(tx, {
        organizationId,
        action: 'organization.updated',
        actor: toActor(caller),
        detail: { changed: ['mark'], mark: mark?.hash ?? null },
      });
      return findOrganizationDto(tx, organizationId);
    });
  serve(routes, contract.setOrganizationMark, async ({ params: { orgId }, caller, body }) =>
    changeMark(caller, await buildMark(orgId, body.image)),
  );
  serve(routes, contract.deleteOrganizationMark, ({ caller }) => changeMark(caller, null));
  serveRaw(routes, contract.getMark, async ({ params: { markHash }, reply }) => {
    const row = await maybeOne(db, findMark(markHash));
    if (!row) throw notFound('The picture');
    return sendMark(reply, row.png);
  });
}

const dropUndefined = <T extends object>(change: T): { [Key in keyof T]: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };

type OrganizationDto = z.infer<typeof contract.Organization>;

async function findOrganizationDto(on: Queryable, organizationId: OrganizationId): Promise<OrganizationDto> {
  const row = await one(on, statements.findOrganization(organizationId));
  const owners = await on.query(statements.findOwnerNames(organizationId));
  return { ...toOrganizationDto(row), owners: owners.map(({ name }) => name) };
}

const toOrganizationDto = (row: statements.OrganizationRow): Omit<OrganizationDto, 'owners'> => ({
  id: row.organization_id,
  name: row.name,
  displayName: row.display_name,
  contact: row.contact === null ? null : (JSON.parse(row.contact) as Contact),
  publicName: row.public_name,
  languages: row.languages ?? ['en', 'es'],
  timeZone: row.time_zone ?? 'UTC',
  onlyVouchedApps: row.only_vouched_apps,
  noNewRegistrations: row.no_new_registrations,
  faultAddresses: row.fault_addresses,
  accentColor: row.accent_color,
  brand: toBrand(row),
});
