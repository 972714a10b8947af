/** What an endpoint of an organization demands of who calls it: one of these each. */
export const PERMISSIONS = [
  'organization.read',
  'organization.write',
  'members.read',
  'members.manage',
  'keys.read',
  'keys.manage',
  'projects.read',
  'projects.write',
  'patients.read',
  'patients.enroll',
  'test_patients.read',
  'test_patients.manage',
  'consents.read',
  'evidence.read',
  'records.read',
  'audit.read',
  'clients.read',
  'clients.manage',
  'audit.export',
  'usage.read',
  'webhooks.read',
  'webhooks.manage',
  'sources.read',
  'sources.manage',
  'deployment.check',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const READ_BY_ALL = ['organization.read', 'projects.read', 'webhooks.read', 'sources.read'] as const;

/**
 * The one table of who may do what, for members and for API keys. An admin may do all but what concerns owners, which the
 * operations on members check. Nobody gets a key that may more than they do (`mayIssueKey`). `records.read` is of programs:
 * no session reads a record. `test_patients.manage` gives the tokens of made-up people, who alone are read on the console.
 */
const PERMISSIONS_BY_ROLE = {
  owner: PERMISSIONS,
  admin: PERMISSIONS,
  developer: [
    ...READ_BY_ALL,
    'keys.read',
    'keys.manage',
    'test_patients.read',
    'test_patients.manage',
    'clients.read',
    'webhooks.manage',
    'sources.manage',
    'usage.read',
  ],
  researcher: [
    ...READ_BY_ALL,
    'patients.read',
    'patients.enroll',
    'consents.read',
    'evidence.read',
    'records.read',
  ],
  auditor: [
    ...READ_BY_ALL,
    'members.read',
    'keys.read',
    'patients.read',
    'test_patients.read',
    'consents.read',
    'evidence.read',
    'audit.read',
    'clients.read',
    'audit.export',
    'usage.read',
  ],
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof PERMISSIONS_BY_ROLE;

export const ROLES = Object.keys(PERMISSIONS_BY_ROLE) as [Role, ...Role[]];

export const hasPermission = (role: Role, permission: Permission): boolean =>
  (PERMISSIONS_BY_ROLE[role] as readonly Permission[]).includes(permission);

/** Whether somebody of a role may get the secret of a key of another: they hold every permission of it. */
export const mayIssueKey = (role: Role, keyRole: Role): boolean =>
  PERMISSIONS_BY_ROLE[keyRole].every((permission) => hasPermission(role, permission));

/** Whether they may end such a key, or a secret of it: whoever finds one that leaked need not hold what it opens. */
export const mayEndKey = (role: Role, keyRole: Role): boolean =>
  hasPermission(role, 'keys.manage') && (keyRole !== 'admin' || mayIssueKey(role, keyRole));
