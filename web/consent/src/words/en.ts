import { patientEn } from '../../../patient/words/en.ts';
import { asks } from './en/asks.ts';
import { invitation } from './en/invitation.ts';
import { review } from './en/review.ts';

/** Everything that the consent app says. */
export const en = {
  ...patientEn,
  confirmIdentity: {
    title: 'Is this you?',
    lead: 'You are signed in in this browser as:',
    yes: 'Yes, this is me',
    no: 'No, switch account',
    /** Said where the page is shown once more. */
    again: {
      missing:
        'We keep a picture of this page with your answer, and do not have it yet. Please say once more who you are.',
      unsaved:
        'Your answer is not saved yet: we keep a picture of this page with it, and do not have that. Please say once more who you are. Then give your answer again.',
      next: 'Your answer before this is saved. Now comes the next decision. We keep a picture of this page with it too, so please say once more who you are.',
    },
  },
  notEligible: {
    title: 'This account cannot answer here',
    text: (organization: string) =>
      `You are signed in with a test account of another organization. A request of ${organization} has to be answered with another account.`,
    switch: 'Switch account',
  },
  notLetIn: {
    title: 'This app cannot connect here',
    text: (organization: string, client: string) =>
      `${organization} does not let ${client} in. Nothing was shared. If you want to know why, ask ${organization}.`,
    back: (client: string) => `Go back to ${client}`,
  },
  review,
  processing: {
    title: 'Getting your record ready',
    lead: (client: string) => `Thank you. As soon as it is ready, we take you back to ${client}.`,
    wait: 'This can take a few minutes. You can leave this window open and do something else.',
    uploads: 'Documents you uploaded',
    states: {
      waiting: 'Waiting',
      running: 'Working on it',
      done: 'Ready',
      later: 'Later',
      failed: 'Could not be read',
    },
    summary: (done: number, all: number) => `${done} of ${all} ready`,
    failed:
      'Not everything could be read. You need not do anything: the rest goes on without it. Your data page says why, and there you can try again.',
    later: (names: string) =>
      `There is no answer now from ${names}. We go on without waiting, and get your records there later.`,
    lost: 'The connection was lost. We keep trying; your decision is safe.',
  },
  goOnWithout: {
    title: 'Not everything is here yet',
    text: (names: string) =>
      `There is no answer now from ${names}. Go on without waiting: we get your records there later, and you need not do anything.`,
    goOn: 'Go on without waiting',
  },
  returnToClient: {
    title: (client: string) => `Taking you back to ${client}`,
    text: 'This takes a moment. If nothing happens, follow this link:',
    link: (client: string) => `Go back to ${client}`,
  },
  decidedBefore: {
    title: 'What you just chose was not saved',
    lead: 'This request had been answered before, in another window. That answer counts.',
    granted: (client: string) =>
      `The answer was yes: ${client} may read your record. You can stop that at any time on your own page.`,
    denied: (client: string) =>
      `The answer was no to ${client}. If you want to share after all, connect again from the app.`,
    closed:
      'Your own page shows what you share. You can stop it there at any time. If you want to share after all, connect again from the app.',
    goOn: (client: string) => `Go on to ${client}`,
  },
  closed: {
    title: 'This has been completed',
    text: 'You can close this window.',
  },
  link: {
    expiredTitle: 'This link does not work any more',
    expired:
      'A link works once and for a limited time. If you have used it already, you need it no more. If not, you can ask for a new one.',
    perhapsDone:
      'If you have just chosen your password here, it may be saved. Sign in with it. If that does not work, ask for a new link.',
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
  emailLink: {
    title: 'Use this e-mail address?',
    lead: (email: string) =>
      `Your account then has the address ${email}. You sign in with it, and mails about your data go there.`,
    account: 'You are signed in to the account that gets it. Its name, and the address that it has so far:',
    confirm: 'Yes, use this address',
    cancel: 'I did not ask for this',
    askedTitle: 'Did you ask for a new e-mail address?',
    askedLead: (email: string) =>
      `Somebody asked to give their account the address ${email}. If it was you, sign in to that account here. Then you can confirm it.`,
    askedByOther:
      'If it was not you, say so below. Else the account of somebody else could get your address, and see what is meant for you.',
    signIn: 'Yes, sign in',
    signInLead: (email: string) =>
      `Sign in with the address that your account has so far. Then you can give it the address ${email}.`,
    otherTitle: 'This link is for another account',
    otherLead: (name: string, email: string) =>
      `You are signed in as ${name} (${email}). This account stays as it is.`,
    otherNext: (email: string) =>
      `Another account is to get the address ${email}. If that one is yours too, sign in to it, and confirm it there.`,
    otherHasAddress: (email: string) =>
      `Somebody asked to give another account the address ${email}. Yours has it, so the other one cannot get it.`,
    otherSignIn: 'Sign in to the other account',
    cancelled: 'Nothing was changed',
    cancelledLead: (email: string) =>
      `By this link no account gets the address ${email}. It does not work any more.`,
    cancelledNext: 'You have nothing else to do. You can close this page.',
    cancelledOwn:
      'You are signed in to the account that was to get it. Whoever asked knows its password. If it was not you, choose another password under “Signing in”.',
    notCancelled:
      'So there was nothing to end any more. The link was used or ended before, or its time is over.',
    notCancelledNext: (email: string) =>
      `If it was used, an account has the address ${email}. If it was ended, or its time is over, no account gets the address by it.`,
    changed: 'Your e-mail address is changed',
    changedLead: (email: string) => `From now on you sign in with ${email}.`,
    restoreTitle: 'Take your account back?',
    restoreLead: (email: string) =>
      `Your account has the address ${email} again. Every browser and passkey that signs in to it now is shut out.`,
    restoreNext:
      'Right after that you choose a new password. Then look at “Your data”: stop what you did not agree to, and disconnect apps that you do not know.',
    restore: 'Take my account back',
    reopen:
      'This page does not have the link any more. If you have used it already, you need it no more. If not, follow the link in your mail once more. If it does not work, sign in and ask for a new link under “Signing in”.',
    forgotten:
      'Enter the address that your account has so far. We send a mail there, with a link to choose a new password. After that, the link to the new address does not work any more, and you ask for it again.',
    afterReset:
      'Choose your password there. After that, ask for the new address again: in your account, under “Signing in”.',
    gone: 'A link works once, for a limited time, and only as long as the password stays the same. If you have confirmed the address already, you need it no more. If not, sign in and ask for a new link under “Signing in”.',
    takenTitle: 'This address has another account',
    taken:
      'Somebody made an account with this e-mail address in the meantime. Nothing was changed. If it was you, sign in with it. Or delete that account first, and follow the link again.',
  },
  signedIn: {
    title: 'You are signed in',
    text: 'Go back to the window where you began. It goes on by itself if it is in this browser.',
    elsewhere:
      'If you began in another browser or on another device, choose “I have done it” there and sign in with your password.',
  },
  accountRestored: {
    title: 'Your account is yours again',
    lead: 'Your new password is saved, and you are signed in. Now look at “Your data”: stop what you did not agree to, and disconnect apps that you do not know.',
    link: 'Look at “Your data”',
  },
  invitation,
  asks,
  start: {
    title: 'You decide who reads your health record',
    lead: 'When an app or an organization asks for your health record, you see here who asks and what for. Then you say yes or no.',
    signIn: 'Sign in',
    signedInAs: (name: string, email: string) => `You are signed in as ${name} (${email}).`,
    waiting: 'No request is open in this window. To begin one, connect from the app that you want to use.',
  },
  myDataLink: 'See what you share',
};

export type Words = typeof en;
