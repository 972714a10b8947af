/** Where somebody is signed in, and the password that lets them. */
export const sessions = {
  title: 'Where you are signed in',
  lead: 'If you do not know one of these, sign it out and change your password.',
  unnamed: 'A browser that does not say its name',
  thisOne: 'This browser',
  since: (time: string) => `Signed in on ${time}`,
  lastUsed: (time: string) => `Last used on ${time}`,
  end: 'Sign out',
  endTitle: (device: string) => `Sign out “${device}”?`,
  endText: 'Whoever uses it has to sign in again.',
  yesEnd: 'Yes, sign it out',
  keep: 'Leave it',
  ended: (device: string) => `“${device}” is signed out.`,
  endOthers: 'Sign out everywhere else',
  endOthersTitle: 'Sign out every other browser?',
  endOthersText: 'You stay signed in here. Whoever uses another one has to sign in again.',
  yesEndOthers: 'Yes, sign them out',
  keepOthers: 'Leave them',
  othersEnded: 'Every other browser is signed out.',
};

export const passwords = {
  change: 'Change your password',
  current: 'Present password',
  submit: 'Change the password',
  consequence: 'You stay signed in here. Every other browser is signed out, and we tell you by mail.',
  cancel: 'Leave it as it is',
  changed: 'Your password is changed. Every other browser is signed out.',
};

/** Another e-mail address for the account. */
export const emails = {
  change: 'Change your e-mail address',
  address: 'New e-mail address',
  hint: 'We send a link there. Nothing changes before you follow it.',
  same: 'This is the address that you have.',
  password: 'Your password',
  submit: 'Send me the link',
  consequence:
    'You then sign in with the new address. We tell your old one, so that nobody does this without you. Organizations that invited you keep the address that they know: tell them the new one.',
  cancel: 'Leave it as it is',
  sent: (email: string) =>
    `We sent a mail to ${email}. Follow its link within an hour. On another device, sign in there with the address that you have now. Until then your address stays as it is.`,
};
