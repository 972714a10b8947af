import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { Contact } from '../../../contract/organization/projects.ts';
import { maybeOne, type Queryable } from '../../platform/db/db.ts';
import { findOrganization, findOrganizationOfProject, type OrganizationRow } from './organizations.sql.ts';

type Language = 'en' | 'es';

/** An organization as its mails name it. */
export interface MailSender {
  organizationId: OrganizationId;
  name: string;
  contact: Contact | null;
  /** What it invites to, where it has a name that anybody may see. */
  publicName: string | null;
  languages: readonly Language[];
}

export async function findMailSender(
  on: Queryable,
  organizationId: OrganizationId,
): Promise<MailSender | null> {
  const row = await maybeOne(on, findOrganization(organizationId));
  return row && toMailSender(row);
}

export async function findMailSenderOfProject(
  on: Queryable,
  projectId: ProjectId,
): Promise<MailSender | null> {
  const row = await maybeOne(on, findOrganizationOfProject(projectId));
  return row && toMailSender(row);
}

const toMailSender = (row: OrganizationRow): MailSender => ({
  organizationId: row.organization_id,
  name: row.display_name ?? row.name,
  contact: row.contact === null ? null : (JSON.parse(row.contact) as Contact),
  publicName: row.public_name,
  languages: row.languages ?? ['en'],
});

/** Returns the language of a mail: the person's, if we have it, or else the first that the organization writes in. */
export function chooseLanguage(preference: string | null | undefined, { languages }: MailSender): Language {
  const tag = preference?.slice(0, 2).toLowerCase();
  return tag === 'en' || tag === 'es' ? tag : (languages[0] ?? 'en');
}
