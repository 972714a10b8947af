import { toEmail, type OrganizationId, type ProjectId } from '../../../contract/brands.ts';
import { ProjectContent } from '../../../contract/organization/projects.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { hashPassword, generatePassword } from '../../platform/kernel/password.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { insertMember } from './members.sql.ts';
import { insertApiKey } from '../organizations/api-keys.ts';
import * as statements from '../organizations/organizations.sql.ts';
import { insertProject } from '../organizations/projects.sql.ts';
import { writeVersion } from '../organizations/projects.ts';

export interface ApiKeyPair {
  apiKey: string;
  apiSecret: string;
}

export interface CreatedOrganization {
  organizationId: OrganizationId;
  projectId: ProjectId;
  admin: ApiKeyPair;
  researcher: ApiKeyPair;
  console: { email: string; password: string };
}

interface NewOrganization {
  name: string;
  project: string;
  /** What the project is for, in words for its patients; when given, it becomes the project's first version. */
  purpose?: string | null;
  adminEmail: string;
}

interface Deps {
  db: Db;
  clock: Clock;
}

/**
 * Creates an organization with a project, API keys and a console member, in one transaction; returns null when one of
 * that name exists. The secrets are returned only here: the store holds their hashes.
 */
export async function createOrganization(
  { db, clock }: Deps,
  input: NewOrganization,
): Promise<CreatedOrganization | null> {
  const password = generatePassword();
  const passwordHash = await hashPassword(password);
  return db.tx(async (tx) => {
    const now = clock.now();
    const [row] = await tx.query(statements.insertOrganization({ id: generateId(), name: input.name, now }));
    if (!row) return null;
    const organizationId = row.organization_id;
    const projectId = generateId<ProjectId>();
    const { project: name, purpose = null } = input;
    await tx.query(
      insertProject({ project_id: projectId, organization_id: organizationId, name, purpose, now }),
    );
    if (purpose !== null)
      await writeVersion(tx, {
        projectId,
        version: 1,
        content: buildContent(name, purpose),
        consentTypes: [],
        now,
      });
    // An address that signs in to another organization stays with that one: there is no first login of this.
    const email = toEmail(input.adminEmail);
    const member = await tx.query(
      insertMember({
        member_id: generateId(),
        organization_id: organizationId,
        email,
        name: input.adminEmail,
        role: 'owner',
        project_ids: null,
        password_hash: passwordHash,
        credential_id: generateId(),
        must_choose_password: true,
        created_at: now,
      }),
    );
    if (member.length === 0)
      throw new Refusal(409, 'address_taken', {
        detail: 'The address of the console login signs in to another organization; choose another.',
      });
    const admin = await insertFirstKey(tx, { organizationId, role: 'admin', now });
    const researcher = await insertFirstKey(tx, { organizationId, role: 'researcher', now });
    return { organizationId, projectId, admin, researcher, console: { email: input.adminEmail, password } };
  });
}

const buildContent = (title: string, purpose: string): ProjectContent =>
  ProjectContent.parse({ en: { title, purpose } });

/** A key that the organization is created with; it does not expire. */
async function insertFirstKey(
  tx: Tx,
  { organizationId, role, now }: { organizationId: OrganizationId; role: 'admin' | 'researcher'; now: Date },
): Promise<ApiKeyPair> {
  const name = role === 'admin' ? 'Admin key' : 'Researcher key';
  const key = { organizationId, name, role, projectIds: null, createdBy: null, now, expiresAt: null };
  const { apiKey, apiSecret } = await insertApiKey(tx, key);
  return { apiKey, apiSecret };
}
