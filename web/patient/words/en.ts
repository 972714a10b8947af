import { data } from './en/data.ts';

/** What the patient's two apps both say, in plain words: short sentences, no jargon, reading grade 8 or below. */
export const patientEn = {
  common: {
    otherLanguage: 'Español',
    oneMoment: 'One moment …',
    unnamedClient: 'Unnamed app',
    signOut: 'Sign out',
    back: 'Back',
    tryAgain: 'Try again',
    problem: 'There is a problem',
    footer: 'You decide who reads your health record.',
    reveal: { show: 'Show', hide: 'Hide', showLabel: 'Show password', hideLabel: 'Hide password' },
  },
  form: {
    email: 'E-mail address',
    password: 'Password',
    newPassword: 'New password',
    newPasswordHint: 'At least 12 characters. A few words in a row work well.',
    firstName: 'First name',
    lastName: 'Last name',
    emailMissing: 'Enter your e-mail address',
    emailWrong: 'Enter an e-mail address such as name@example.com',
    passwordMissing: 'Enter your password',
    passwordShort: 'Choose a password of at least 12 characters',
    passwordWeak:
      'This password is easy to guess: it is a common one, a row of keys, a repetition, or made of your name or address. Choose a few words that have nothing to do with each other.',
    passwordLong: 'Choose a password of at most 200 characters',
    firstNameMissing: 'Enter your first name',
    lastNameMissing: 'Enter your last name',
  },
  /** By what a representative signs for a patient: chosen on the review, and named on the receipt. */
  authorities: {
    parent: 'I am their parent',
    guardian: 'I am their legal guardian',
    'power-of-attorney': 'I have a power of attorney',
    other: 'I may by law for some other reason',
  },
  errors: {
    wrongPassword: 'The e-mail address or the password is not right. Check both and try again.',
    throttled: 'There were too many tries. Please wait a little, then try again.',
    throttledUntil: (time: string) => `There were too many tries. You can try again at ${time}.`,
    unreachable: 'The service did not answer as it should. Check your connection, then try again.',
    tooLarge:
      'The service did not take your answer, since it was too large. Nothing is shared. Please tell the organization that asks.',
    notSaved: 'Your answer was not saved. Nothing has changed.',
    maybeSaved:
      'The service did not answer as it should. We do not know whether your answer was saved. Please try again: it counts once. Your own page shows what you share.',
    outcomeUnknown:
      'We do not know whether this was saved. Load the page again and look before you repeat it.',
    stalePage: 'This page was open for too long. Load it again, then go on.',
    notFound: 'This is not here any more. Load the page again to see how it is now.',
    consentChanged:
      'What you share has changed meanwhile. Please look at your choices once more, and then decide.',
    choicesChanged:
      'You have chosen something else in another window. This page shows it now. Please look at it once more, and then decide.',
    contentChanged:
      'The project has just changed what it tells you. Please go back up, read “What it is for” once more, and then decide.',
    notTaken:
      'The service could not take your answer. Check that the date and time on this device are right. Then try again.',
    notPictured:
      'We could not take the picture of this page that we keep with a yes. Nothing is shared yet. Please try again.',
    invalid: 'Something here is not filled in as it should be. Check it and try again.',
  },
  lostAction: {
    signInAgain: 'You were signed out. What you just did was not done. Sign in to go on.',
    doAgain: 'You had been signed out. What you did before was not done. Please do it again.',
    otherPerson: 'Somebody else is signed in in this browser now. What you just did was not done.',
    decidedBefore:
      'What you just chose was not saved. You had answered this before, in another window, and that answer counts. You can change it at any time.',
  },
  requester: {
    asks: (client: string, organization: string) =>
      `${client} asks to read your health record in a project of ${organization}.`,
    signInFirst: 'Sign in first. Then you see what is asked for, and you decide.',
    verified: (host: string) => `Verified by ${host}`,
    knownBy: (organization: string) => `${organization} knows this app`,
    unverified: 'Unverified: nobody has checked who is behind this name',
    looksLike: (client: string, other: string) =>
      `This app calls itself ${client}. Nobody has checked whether it belongs to ${other}.`,
    looksLikeAdvice:
      'A false app may use a name you know to get your record. Go on only if you began this yourself, in a place you trust.',
    answersTo: (host: string) => `Your answer goes to ${host}`,
    thisDevice: 'a program on this device',
    onThisDevice: 'That is a program on this device.',
    startedYourself: 'Go on only if you started this yourself, in a program you trust.',
    deny: (client: string) => `No, go back to ${client}`,
  },
  signIn: {
    title: 'Sign in',
    submit: 'Sign in',
    signUp: 'Create an account',
    forgotten: 'Forgot your password?',
    noAccount: 'New here?',
  },
  signUp: {
    title: 'Create an account',
    lead: 'We send you a mail with a link. It shows us that the address is yours.',
    hint: 'If you were invited, use the address the invitation came to.',
    submit: 'Send me the link',
  },
  forgotten: {
    title: 'Choose a new password',
    lead: 'We send you a mail with a link. With it you can choose a new password.',
    submit: 'Send me the link',
  },
  mailSent: {
    title: 'Check your mail',
    sentTo: (email: string) => `If all is well, a mail is on its way to ${email}.`,
    steps: [
      'Open the mail from us. It can take a minute or two.',
      'Follow the link in it, best in this same browser.',
      'Choose your password there. This window then goes on by itself.',
    ],
    elsewhere: 'You chose your password on another device, or in another browser?',
    done: 'I have done it',
    again: 'Send again',
    sentAgain:
      'If fewer than three mails went there in the last hour, a new one is on its way. We send no more than three an hour.',
    nothing: 'No mail? Look in your spam folder, or check that the address above is right.',
    another: 'Use another address',
    waiting: 'Waiting for you to follow the link …',
  },
  data,
  errorScreens: {
    expired: {
      title: 'This request has expired',
      text: 'A request is open for a limited time only. Go back to the app where you began and connect again. Nothing was shared.',
    },
    unknown: {
      title: 'We do not know this request',
      text: 'The link may be cut off or out of date. Go back to the app where you began and connect again.',
    },
    unknownInvitation: {
      title: 'We do not know this invitation',
      text: 'The link may be cut off or out of date. Open the link in your mail once more, or ask the organization that invited you. Nothing was shared.',
    },
    'other-browser': {
      title: 'Continue in the browser where you began',
      text: 'To keep you safe, a request can be answered only in the browser that began it. Go back to that window. If you cannot find it, connect again from the app.',
    },
    'stale-page': {
      title: 'Please load this page again',
      text: 'We could not make sure that this came from our own page. Loading it again mends that. Your browser has to accept cookies from this site.',
    },
    throttled: { title: 'Too many tries' },
    unreachable: {
      title: 'We cannot reach the service',
      text: 'Check your connection, then try again. If it goes on, wait a few minutes. Nothing is lost.',
    },
    reload: 'Load again',
  },
  passkeySignIn: {
    submit: 'Sign in with a passkey',
    notKnown: 'We do not know this passkey. Use another one, or sign in with your password.',
    failed: 'That did not work. Try again, or sign in with your password.',
  },
  oldPasskeys: {
    lead: 'You can also sign in with a passkey, without the password:',
    item: (name: string, day: string) => `“${name}”, made on ${day}`,
    remove: { one: 'Remove this passkey too', many: 'Remove these passkeys too' },
    hint: 'Leave this checked if somebody else may have been in your account. You can make your own passkey again.',
  },
  testPatient: 'Test patient',
};

export type PatientWords = typeof patientEn;
