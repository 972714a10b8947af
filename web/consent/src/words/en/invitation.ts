/** From an organization's invitation to what comes after the decisions. */
export const invitation = {
  title: (organization: string) => `${organization} invites you`,
  lead: (organization: string) =>
    `${organization} asks you something about your health record. With an account you see what is asked for, and you decide. Nothing is shared before that.`,
  /** Said before an account is made, whoever it is: the link is the same for all, and lets nobody take part. */
  onlyInvited: (organization: string) =>
    `Use the e-mail address that ${organization} wrote to. The link alone is not enough: an account with another address has no invitation here. If ${organization} did not write to you, ask there first.`,
  signInFirst: (organization: string) =>
    `${organization} invites you. Sign in first, with the e-mail address that the invitation came to. Then you see what is asked for, and you decide.`,
  questions: 'Questions? Here is who answers:',
  notInvitedTitle: 'This account has no invitation here',
  notInvited: (organization: string) =>
    `${organization} invited somebody else, or the invitation has ended. If you were invited, sign in with the e-mail address that the invitation came to. Nothing was shared.`,
  place: (number: number, all: number) => `Decision ${number} of ${all}`,
  readyTitle: 'Your account is ready',
  ready: (organization: string) => `${organization} asks you for nothing now. This is what you can do here:`,
  decidedTitle: 'Your decisions are saved',
  countsTitle: 'This is what counts now',
  counts: 'Here are the answers that are saved. To change one, choose what stands below it.',
  shared: 'Thank you. You get a mail with your receipt. This is what you can do now:',
  notShared:
    'You share nothing here, and nothing else changes for you. You can change your mind at any time.',
  notSharedHere: (organization: string, consents: string) =>
    `By these answers you share nothing. ${organization} can still read your record, by another yes of yours: ${consents}. You can stop that on your own page.`,
  stillReads: (organization: string, consents: string) =>
    `${organization} can still read your record, by another yes of yours: ${consents}.`,
  receipt: 'Your receipt, to read or print',
  decisions: (organization: string) => `What you decided for ${organization}`,
  types: {
    DATA_AUTHORIZATION: 'The organization reads your health record',
    PATIENT_DIRECTED_DATA_EXCHANGE: 'The organization and apps that you choose read your health record',
    FUTURE_DATA_USE: 'Your data is used in later research',
  },
  until: (date: string) => `You said yes. It ends by itself on ${date}.`,
  refusedOn: (date: string) => `You said no on ${date}.`,
  withdrawnOn: (date: string) => `You stopped this on ${date}.`,
  lookAgain: 'Look at it again',
  decideAgain: 'Decide again',
  addRecordsTitle: 'Add your records',
  addRecords:
    'There is only something to read once your records are here. You can bring files from your doctors.',
  addRecordsLink: 'Add records',
  connectTitle: 'Connect an app',
  connect:
    'You can let an app or an AI agent of your choice read your record. It asks you here first. Give it this address:',
  address: 'The address',
  copyAddress: 'Copy the address',
  qrCode: 'QR code of the address',
  scan: 'Or scan it with the device that the app is on.',
  command: 'For Claude Code, this is the command:',
  copyCommand: 'Copy the command',
  copied: 'Copied.',
  connectNext: 'The app then leads you back here. You see who asks and what for, and say yes or no.',
  yourDataTitle: 'Your data',
  yourData: 'See what you share, who read it and when. There you can share less, or stop, at any time.',
};
