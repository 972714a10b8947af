/** Signing in without a password, and what belongs to it. */
export const passkeys = {
  lead: 'With a passkey you sign in by your fingerprint, your face or the lock of your screen. It cannot be guessed or given away.',
  yours: 'Your passkeys',
  none: 'You have no passkey yet.',
  createdOn: (day: string) => `Made on ${day}`,
  used: (day: string) => `Last used on ${day}`,
  neverUsed: 'Not used yet',
  add: 'Add a passkey',
  name: 'Name of the passkey',
  nameHint: 'So that you know it again later, such as “My phone”',
  nameMissing: 'Give the passkey a name',
  create: 'Make the passkey',
  notNow: 'Not now',
  onThis: (device: string) => `My ${device}`,
  devices: {
    phone: 'phone',
    tablet: 'tablet',
    computer: 'computer',
  },
  added: (name: string) => `You can now sign in with “${name}”.`,
  cancelled: 'No passkey was made. You can try again at any time.',
  known: 'This device already has a passkey for your account, or you have twenty of them.',
  failed: 'Your device could not make a passkey. Try again, or use another device.',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove “${name}”?`,
  removeText:
    'You can then no longer sign in with it here. It may still be listed on your device; delete it there too.',
  yesRemove: 'Yes, remove it',
  keep: 'Keep it',
  removed: (name: string) => `“${name}” was removed.`,
  signInAgain:
    'To keep you safe, we need to see that it is still you. Sign out, sign in again, and then add the passkey.',
  testPatient: 'This is a test account. It has no passkeys.',
  notAvailable: 'Passkeys do not work at this address of the service. Sign in with your password.',
  unsupportedBrowser:
    'This browser does not know passkeys. Sign in with your password, or use a newer browser.',
  withPassword: 'Your password',
  passwordText:
    'You can still sign in with your password. To change it, ask for a link by mail: sign out and choose “Forgot your password?”.',
};
