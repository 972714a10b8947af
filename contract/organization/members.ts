import { z } from 'zod';
import { Email, InvitationId, MemberId, ProjectId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { PageQuery } from '../page-query.ts';
import { ROLES } from '../roles.ts';
import { MAX_KEY_PROJECTS } from './api-keys.ts';
import { PlainName } from './projects.ts';

/** The most members and open invitations of an organization. */
export const MAX_MEMBERS = 500;

/** How long an invitation may be accepted. */
export const INVITATION_DAYS = 7;

const role = z.enum(ROLES);

const projectIds = z
  .array(ProjectId)
  .min(1)
  .max(MAX_KEY_PROJECTS)
  .refine((ids) => new Set(ids).size === ids.length, 'must name each project once')
  .nullable();

const Assignment = z.object({ role, projectIds: projectIds.default(null) });

/** Only a researcher is limited to projects: every other role is for the whole organization. */
const isAssignable = ({ role: assigned, projectIds: ids }: z.infer<typeof Assignment>): boolean =>
  assigned === 'researcher' || ids === null;

const NOT_ASSIGNABLE = { path: ['projectIds'], message: 'must be null for every role but researcher' };

export const Member = z
  .object({
    id: MemberId,
    email: z.string(),
    name: z.string(),
    role,
    projectIds: z.array(ProjectId).nullable().describe('The projects of a researcher; null: every project'),
    hasFactor: z.boolean().describe('false: until they choose a second factor, nothing is open to them'),
    createdAt: z.iso.datetime(),
    lastSignedInAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

export const Invitation = z
  .object({
    id: InvitationId,
    email: z.string(),
    role,
    projectIds: z.array(ProjectId).nullable(),
    invitedBy: z.object({ kind: z.string(), id: z.string() }).describe('As the audit log names actors'),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

const tag = 'Members';
const membersPath = '/v1/organizations/{orgId}/members';
const invitationsPath = '/v1/organizations/{orgId}/invitations';
const manage = { tag, audience: ['organization'], permission: 'members.manage', presence: true } as const;
const notFound = { 404: 'The organization has no such member' } as const;
const OWNERS = 'owner_required: only an owner may make, change or remove one';

export const listMembers = defineEndpoint({
  method: 'GET',
  path: membersPath,
  name: 'listMembers',
  summary: 'The members of the organization, oldest first',
  tag,
  audience: ['organization'],
  permission: 'members.read',
  query: PageQuery,
  response: z.object({ total: z.int(), results: z.array(Member) }),
});

export const updateMember = defineEndpoint({
  ...manage,
  method: 'PATCH',
  path: `${membersPath}/{memberId}`,
  name: 'updateMember',
  summary: "Changes a member's name, or role and projects: those end the member's sessions",
  closedBody: true,
  body: z
    .object({ name: PlainName.optional(), role: role.optional(), projectIds: projectIds.optional() })
    .refine((change) => Object.values(change).some((value) => value !== undefined), 'must change something'),
  response: Member,
  refusals: { ...notFound, 403: OWNERS, 409: 'last_owner: an organization has an owner' },
});

export const removeMember = defineEndpoint({
  ...manage,
  method: 'DELETE',
  path: `${membersPath}/{memberId}`,
  name: 'removeMember',
  summary: 'Removes a member: the next call of any of their sessions is refused',
  status: 204,
  response: z.undefined(),
  refusals: { ...notFound, 403: OWNERS, 409: 'last_owner: an organization has an owner' },
});

export const resetMember = defineEndpoint({
  ...manage,
  method: 'POST',
  path: `${membersPath}/{memberId}/reset`,
  name: 'resetMember',
  summary:
    'Mails a member who lost password or factor a secret by which they choose both anew; until then the present ones stay',
  status: 202,
  response: z.object({ status: z.literal('sent'), expiresAt: z.iso.datetime() }),
  refusals: {
    ...notFound,
    403: `${OWNERS}; oidc_only: members sign in at the identity provider alone`,
    429: 'too_many_mails: three an hour to one address',
  },
});

export const createInvitation = defineEndpoint({
  ...manage,
  method: 'POST',
  path: invitationsPath,
  name: 'createInvitation',
  summary: `Invites somebody by mail to become a member, within ${INVITATION_DAYS} days; another invitation of the same address replaces it`,
  closedBody: true,
  body: Assignment.extend({ email: Email }).refine(isAssignable, NOT_ASSIGNABLE),
  status: 201,
  response: Invitation,
  refusals: {
    403: OWNERS,
    409: `member_exists: the address is a member's; too_many_members: ${MAX_MEMBERS}`,
    429: 'too_many_mails: three an hour to one address',
  },
});

export const listInvitations = defineEndpoint({
  method: 'GET',
  path: invitationsPath,
  name: 'listInvitations',
  summary: 'The invitations that wait to be accepted, newest first',
  tag,
  audience: ['organization'],
  permission: 'members.read',
  query: PageQuery,
  response: z.object({ total: z.int(), results: z.array(Invitation) }),
});

export const revokeInvitation = defineEndpoint({
  ...manage,
  method: 'DELETE',
  path: `${invitationsPath}/{invitationId}`,
  name: 'revokeInvitation',
  summary: 'Takes an invitation back',
  status: 204,
  response: z.undefined(),
  refusals: { 404: 'The organization has no such invitation' },
});
