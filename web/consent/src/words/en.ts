import { myData } from './en/my-data.ts';
import { data } from './en/data.ts';
import { review } from './en/review.ts';

/** Everything the page says, in plain words: short sentences, no jargon, reading grade 8 or below. */
export const en = {
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
    passwordLong: 'Choose a password of at most 200 characters',
    firstNameMissing: 'Enter your first name',
    lastNameMissing: 'Enter your last name',
  },
  errors: {
    wrongPassword: 'The e-mail address or the password is not right. Check both and try again.',
    throttled: 'There were too many tries. Please wait a little, then try again.',
    throttledUntil: (time: string) => `There were too many tries. You can try again at ${time}.`,
    unreachable: 'The service did not answer as it should. Check your connection, then try again.',
    tooLarge:
      'The service did not take your answer, since it was too large. Nothing is shared. Please tell the organization that asks.',
    stalePage: 'This page was open for too long. Load it again, then go on.',
    contentChanged:
      'The project has just changed what it tells you. Please go back up, read “What it is for” once more, and then decide.',
    notTaken:
      'The service could not take your answer. Check that the date and time on this device are right. Then try again.',
    notPictured:
      'We could not take the picture of this page that we keep with a yes. Nothing is shared yet. Please try again.',
    invalid: 'Something here is not filled in as it should be. Check it and try again.',
  },
  requester: {
    asks: (client: string) => `${client} asks to read your health record.`,
    signInFirst: 'Sign in first. Then you see what is asked for, and you decide.',
    verified: (host: string) => `Verified by ${host}`,
    unverified: 'Unverified: nobody has checked who is behind this name',
    looksLike: (client: string, other: string) =>
      `This app calls itself ${client}. Nobody has checked whether it belongs to ${other}.`,
    looksLikeAdvice:
      'A false app may use a name you know to get your record. Go on only if you began this yourself, in a place you trust.',
    answersTo: (host: string) => `Your answer goes to ${host}`,
    onThisDevice:
      'That is a program on this device. Go on only if you started this yourself, in a program you trust.',
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
    nothing: 'No mail? Look in your spam folder, or check that the address above is right.',
    another: 'Use another address',
    waiting: 'Waiting for you to follow the link …',
  },
  confirmIdentity: {
    title: 'Is this you?',
    lead: 'You are signed in in this browser as:',
    yes: 'Yes, this is me',
    no: 'No, switch account',
    testPatient: 'Test patient',
  },
  notEligible: {
    title: 'This account cannot answer here',
    text: (organization: string) =>
      `You are signed in with a test account of another organization. A request of ${organization} has to be answered with another account.`,
    switch: 'Switch account',
  },
  review,
  data,
  processing: {
    title: 'Getting your record ready',
    lead: (client: string) => `Thank you. As soon as it is ready, we take you back to ${client}.`,
    wait: 'This can take a few minutes. You can leave this window open and do something else.',
    uploads: 'Documents you uploaded',
    states: { waiting: 'Waiting', running: 'Working on it', done: 'Ready', failed: 'Could not be read' },
    summary: (done: number, all: number) => `${done} of ${all} ready`,
    failed:
      'Not everything could be read. You need not do anything: the rest goes on without it. Your data page says why, and there you can try again.',
    lost: 'The connection was lost. We keep trying; your decision is safe.',
  },
  returnToClient: {
    title: (client: string) => `Taking you back to ${client}`,
    text: 'This takes a moment. If nothing happens, follow this link:',
    link: (client: string) => `Go back to ${client}`,
  },
  closed: {
    title: 'This has been completed',
    text: 'You can close this window.',
  },
  errorScreens: {
    expired: {
      title: 'This request has expired',
      text: 'A request is open for a limited time only. Go back to the app where you began and connect again. Nothing was shared.',
    },
    unknown: {
      title: 'We do not know this request',
      text: 'The link may be cut off or out of date. Go back to the app where you began and connect again.',
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
  link: {
    expiredTitle: 'This link does not work any more',
    expired: 'A link works once and for a limited time. You can ask for a new one.',
    reopenTitle: 'Open the link in your mail again',
    reopen:
      'To keep you safe, this page forgets the link when it is loaded again. Go to your mail and follow the link once more.',
    requestNew: 'Ask for a new link',
    create: 'Choose a password',
    createLead: 'This is the last step to your account.',
    renew: 'Choose a new password',
    account: 'Your account',
    submitCreate: 'Create my account',
    submitRenew: 'Save and sign in',
  },
  signedIn: {
    title: 'You are signed in',
    text: 'Go back to the window where you began. It goes on by itself if it is in this browser.',
    elsewhere: 'If you began in another browser or on another device, sign in there.',
  },
  myData,
  invitation: {
    title: 'You are invited',
    lead: 'An organization invites you to share your health record in one of its projects. With an account you can look at what is asked for and decide; nothing is shared before that.',
    nextTitle: 'Your account is ready',
    next: [
      'Connect the app or agent that you want to use. It asks for your record.',
      'It sends you back to this page. Here you see who asks, for what and for how long.',
      'You say yes or no. Nothing is shared until you say yes here.',
    ],
    nextLead: 'There is nothing else to do here now. This is what comes next:',
  },
  start: {
    title: 'You decide who reads your health record',
    lead: 'When an app or an organization asks for your health record, you see here who asks and what for. Then you say yes or no.',
    signIn: 'Sign in',
    signedInAs: (name: string, email: string) => `You are signed in as ${name} (${email}).`,
    waiting: 'No request is open in this window. To begin one, connect from the app that you want to use.',
  },
};

export type Words = typeof en;
