import { activity } from './activity.ts';
import { consents } from './my-consents.ts';
import { myDocuments } from './my-documents.ts';
import { myRecord } from './my-record.ts';
import { mySources } from './my-sources.ts';
import { notices } from './notices.ts';
import { passkeys } from './passkeys.ts';
import { receipts } from './receipts.ts';
import { emails, passwords, sessions } from './sessions.ts';

/** A person's own page. */
export const myData = {
  title: 'Your data',
  lead: 'Here you see who may read your health record. You can stop it at any time.',
  signInFirst: 'Sign in to see who may read your health record, and to stop it.',
  account: 'Your account',
  otherAddress: 'Are you about to lose this e-mail address? Change it before you do, under “Signing in”.',
  back: 'Back to your data',
  more: 'More about your data',
  parts: {
    record: { title: 'Your record', hint: 'Read what it holds, and search it' },
    activity: { title: 'Who read what', hint: 'Each time someone read your record' },
    receipts: { title: 'Your receipts', hint: 'Proof of what you agreed to' },
    documents: { title: 'Your documents', hint: 'Add files, and get back what you added' },
    download: { title: 'Take your data with you', hint: 'Download all we keep about you' },
    notices: { title: 'Mails about your data', hint: 'Choose when we write to you' },
    'signing-in': {
      title: 'Signing in',
      hint: 'Change your password or e-mail address, or sign in without a password',
    },
    'delete-account': { title: 'Delete your account', hint: 'Your record goes with it' },
  },
  changedMeanwhile: 'This has changed in the meantime. What you see now is up to date.',
  share: 'What you share',
  nothing: 'You share your health record with nobody now.',
  project: 'Project',
  since: 'Since',
  until: 'Until',
  onlyIn: (what: string, where: string) => `${what}: only in ${where}`,
  partEnds: (what: string, end: string) => `${what}: until ${end}`,
  endedOn: (day: string) => `It ended by itself on ${day}`,
  stoppedOn: (day: string) => `You stopped it on ${day}`,
  refusedOn: (day: string) => `You said no on ${day}`,
  revokedOn: (organization: string, day: string) =>
    `${organization} ended it on ${day}, with your part in the project`,
  endedBefore: 'Shared before',
  what: 'What is shared',
  kinds: {
    all: 'All kinds of data',
    but: (names: string) => `Everything except: ${names}`,
    only: (count: string, all: string, names: string) => `${count} of ${all} kinds: ${names}`,
  },
  veryPrivate: 'Very private things',
  sensitivities: { none: 'Left out', all: 'All of them' },
  asked: {
    title: 'You are asked',
    reasons: {
      new: 'They ask you for something that you have not decided yet.',
      words_changed: 'They have changed what they tell you. What you share goes on until you decide.',
      expires_soon: 'Your yes ends soon. If you do nothing, it ends by itself.',
      expired: 'Your yes has ended.',
    },
    /** Where the organization reads by no other yes. */
    readsNothing: {
      new: (organization: string) => `${organization} reads nothing until you say yes.`,
      expired: (organization: string) => `${organization} reads nothing any more.`,
    },
    look: (organization: string) => `See what ${organization} asks`,
  },
  whoReads: 'Who can read it',
  apps: 'Apps that can read it',
  noApps: 'No app is connected now.',
  connected: (time: string) => `Connected on ${time}`,
  lastRead: (time: string) => `Last read on ${time}`,
  neverRead: 'It has not read anything yet',
  disconnected: 'Not connected any more',
  appLess: (names: string) => `This app does not get: ${names}`,
  appUntil: (day: string) => `It can read until ${day}`,
  appSince: (app: string, time: string) => `${app} (connected on ${time})`,
  namesakes: {
    goOn: (app: string, times: string) =>
      `Another app that calls itself ${app} can still read your record: ${times}. Disconnect it too, if you do not want that.`,
    times: (since: string, lastRead: string | null) =>
      `the one connected on ${since}, ${lastRead === null ? 'which has not read anything yet' : `which last read on ${lastRead}`}`,
  },
  disconnect: 'Disconnect',
  disconnectTitle: (app: string) => `Disconnect ${app}?`,
  disconnectText: (app: string) =>
    `${app} can no longer read your record for this project. Your other apps go on.`,
  disconnectOrganization: (organization: string) =>
    `${organization} can still read what you share. To end that, choose “Stop sharing”.`,
  disconnectAgain:
    'What the app has read is not taken back. If you change your mind, connect from the app again.',
  yesDisconnect: 'Yes, disconnect',
  keepConnected: 'Keep it connected',
  appDisconnected: (app: string) => `${app} can no longer read your record for this project.`,
  organizationReads: (organization: string) => `${organization} can still read what you share.`,
  change: 'Change what is shared',
  changeLead: 'Take out what you no longer want to share. It works from the next question on.',
  changeKinds: 'Keep sharing:',
  changePrivate: 'Keep sharing these very private things:',
  save: 'Save',
  discard: 'Leave it as it is',
  keepOne: 'Leave at least one kind, or stop sharing altogether.',
  nothingRemoved: 'You have not taken anything out yet.',
  stop: 'Stop sharing',
  yesStop: 'Yes, stop sharing',
  keep: 'Keep sharing',
  consents,
  activity,
  receipts,
  documents: myDocuments,
  record: myRecord,
  sources: mySources,
  download: {
    lead: 'You can download everything that we keep about you, as one file. Files that wait for your answer are only named in it.',
    inside: 'What is inside',
    list: [
      'Your health record, in the format that other health services read (FHIR)',
      'The original documents, unchanged: PDFs, letters, pictures. What you added as FHIR files is in the record, entry by entry.',
      'Your receipts, with the screens you saw when you decided',
      'The list of who read what',
      'Your account and settings, what organizations wrote down of you, and when and where you signed in',
    ],
    private: 'The file is not locked. Keep it where only you can open it.',
    size: 'It is a zip file. A large record can take a few minutes.',
    button: 'Download my data',
    begins:
      'Your file is being prepared. Your browser shows it as soon as it begins; with a large record that takes a while.',
  },
  notices,
  passkeys,
  sessions,
  passwords,
  emails,
  deletion: {
    lead: 'You can leave at any time. This cannot be undone.',
    deleted: 'What goes',
    deletedList: [
      'Your account, your password and your passkeys',
      'Your health record here, with all documents you added',
      'Every app’s access. All sharing stops first, at once.',
    ],
    retained: 'What stays',
    retainedList: [
      'The record of what you agreed to, with the screens you saw. It proves what was allowed.',
      'The list of who read what. Your name is taken out of our lists.',
    ],
    retainedElsewhere: 'Your doctors and clinics keep their own records. What apps have read, they may keep.',
    downloadFirst: 'Want to keep a copy? Download your data first',
    password: 'Your password',
    passwordHint: 'To show that it is you',
    next: 'Go on to delete',
    confirmTitle: 'Delete your account for good?',
    confirmText: 'Your record here and every app’s access end now. We cannot bring them back.',
    yes: 'Yes, delete my account',
    no: 'Keep my account',
    wrongPassword: 'That is not your password. Try again.',
    /** An answer was lost, and nobody can be signed in with what was typed. */
    unknown: {
      title: 'We cannot tell whether your account is deleted.',
      mail: (email: string) =>
        `The answer to your yes was lost on its way. If your account is deleted, you get a mail at ${email} that says so.`,
      noMail:
        'If no mail comes, your account may still be here, and the password you typed may be wrong. Then sign in and delete it again.',
      signIn: 'Sign in',
    },
    testPatient:
      'This is a test account. Only the organization that made it can delete it. Ask them if you want it gone.',
  },
  accountDeleted: {
    title: 'Your account is deleted',
    lead: 'Your record is no longer here, and no app can read it. Thank you for your trust.',
    text: 'You can close this window. If you ever come back, you can make a new account.',
  },
};
