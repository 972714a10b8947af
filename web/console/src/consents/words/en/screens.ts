/** The screens of the consent page, by the names that a decision keeps of them. */
export const screenNames = {
  'choose-password': 'Choosing a password',
  closed: 'The request is closed',
  'confirm-email': 'Another e-mail address',
  'email-changed': 'The e-mail address is changed',
  'email-link-gone': 'A link that no longer works',
  'email-taken': 'An e-mail address that has another account',
  expired: 'The request has expired',
  'forgotten-password': 'A forgotten password',
  'go-on': 'Going on with what was chosen before',
  invitation: 'The invitation',
  leaving: 'Back to the app',
  'link-gone': 'A link that no longer works',
  'link-reloaded': 'A link that is to be opened again',
  'mail-sent': 'A mail was sent',
  'next-steps': 'What comes next',
  'not-eligible': 'The app may not ask',
  'not-invited': 'Not invited',
  'not-let-in': 'Not let in',
  'other-browser': 'Begun in another browser',
  processing: 'The records are being fetched',
  'restore-email': 'Taking the account back',
  review: 'What is asked',
  'review-short': 'What is asked, in short',
  'sign-in': 'Signing in',
  'sign-up': 'A new account',
  'signed-in': 'Signed in',
  'stale-page': 'A page that has to be loaded again',
  start: 'The first page',
  'start-signed-in': 'The first page, signed in',
  throttled: 'Too many attempts',
  unknown: 'A link that leads nowhere',
  unreachable: 'The service could not be reached',
  'who-is-this': 'Is this you?',
} as Readonly<Record<string, string>>;

/** What was done on a screen, or happened to it. */
export const screenActions = {
  shown: 'Shown',
  confirm: 'Pressed: Yes, this is me',
  allow: 'Pressed: Allow',
  'do-not-allow': 'Pressed: Do not allow',
  'no-picture': 'No picture could be taken',
  'person-changed': 'Somebody else had signed in meanwhile',
  'content-changed': 'The words of the project had changed meanwhile',
  'consent-changed': 'What is shared had changed meanwhile',
  'choices-changed': 'Something else had been chosen in another window',
  decided: 'It had been decided in another window before',
  'full-review': 'The long form was needed',
} as Readonly<Record<string, string>>;

/** Why somebody may sign for a patient. */
export const authorities = {
  parent: 'a parent',
  guardian: 'the legal guardian',
  'power-of-attorney': 'by a power of attorney',
  other: 'by law, for another reason',
} as Readonly<Record<string, string>>;
