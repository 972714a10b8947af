/** API keys: who programs sign in as. */
export const apiKeys = {
  title: 'API keys',
  lead: 'Programs sign in with a key and its secret. A leaked secret is ended here at once.',
  create: 'Create a key',
  name: 'Name',
  nameHint: 'What uses it, such as “Study server”.',
  nameMissing: 'Enter what uses the key',
  role: 'Role',
  roles: {
    admin: 'Admin: everything an organization can do',
    researcher: 'Researcher: patients and consents',
    developer: 'Developer: webhooks, sources, test patients; no patients',
  },
  projects: 'Projects',
  state: 'State',
  states: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  formerEnds: 'The old secret ends',
  formerUsed: 'Last used:',
  endFormer: 'End the old secret',
  endFormerTitle: (name: string) => `End the old secret of “${name}” now?`,
  endFormerText:
    'The secret from before the rotation and its tokens are refused from now on. A program that still uses it stops.',
  formerEnded: 'The old secret has ended.',
  createdBy: 'Made by',
  madeAtFirst: 'With the organization',
  lastUsed: 'Last used',
  addresses: (count: string) =>
    count === '1' ? 'from 1 address in 30 days' : `from ${count} addresses in 30 days`,
  addressesBefore: (count: string) =>
    count === '1' ? 'the old secret from 1' : `the old secret from ${count}`,
  expires: 'Expires',
  created: 'Created',
  expiry: 'Valid for',
  expiries: { days30: '30 days', days90: '90 days', days365: 'A year', never: 'No end' },
  empty: 'No program can sign in yet. A key lets one do so.',
  emptyTitle: 'No keys',
  actions: 'What can be done with the key',
  rotate: 'Rotate',
  rotateTitle: (name: string) => `Rotate the secret of “${name}”`,
  rotateText: 'A new secret is made. The present one stays for a while, so that the program can be changed.',
  rotateAgainText:
    'A new secret is made. The rotation before is not over: two secrets are in use, and both end now.',
  bothEnd: 'To keep the present secret for a while, end the old one first, or wait for its end.',
  grace: 'The present secret',
  graces: {
    now: 'ends now: it has leaked',
    hour: 'stays for an hour',
    day: 'stays for a day',
    week: 'stays for a week',
  },
  rotated: (name: string) => `The new secret of “${name}”`,
  previousEnds: 'The secret before ends:',
  log: 'What it did',
  revoke: 'Revoke',
  lastAdmin: 'The only admin key: create another before you revoke it.',
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeText:
    'Its secrets and tokens end at once. Programs that use it are refused from now on. This has no way back.',
  revoked: (name: string) => `“${name}” is revoked.`,
  secretTitle: (name: string) => `The key “${name}”`,
  key: 'API key',
  secret: 'Secret',
  env: 'As .env',
  curl: 'A token by curl',
  errors: {
    tooMany: 'There are as many keys as an organization may have. Revoke one first.',
    ended: 'This key was revoked or has expired.',
    tooManySecrets:
      'The rotation before is not over: two secrets are in use. End the old one, or wait for its end.',
    lastAdmin:
      'This is the last admin key: no program could manage the organization. Create another first, or rotate this one and end its secret now.',
    permission: 'This key may do what your role may not, so its secret is not for you.',
  },
};

export type ApiKeyWords = typeof apiKeys;
