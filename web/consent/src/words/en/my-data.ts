/** A person's own page. */
export const myData = {
  title: 'Your data',
  lead: 'Here you see who may read your health record. You can stop it at any time.',
  signInFirst: 'Sign in to see who may read your health record, and to stop it.',
  link: 'See what you share',
  account: 'Your account',
  share: 'What you share',
  nothing: 'You share your health record with nobody now.',
  since: 'Since',
  until: 'Until',
  apps: 'Apps that can read it',
  noApps: 'No app is connected now.',
  connected: (time: string) => `Connected on ${time}`,
  stop: 'Stop sharing',
  stopWith: (organization: string, project: string) => `with ${organization}, ${project}`,
  stopTitle: (organization: string) => `Stop sharing with ${organization}?`,
  appsStop: (apps: string) => `These apps are stopped at once: ${apps}.`,
  noneReads: 'From then on, no app can read your record for this project.',
  notTakenBack:
    'What was read before is not taken back. If you change your mind, connect from the app again.',
  yesStop: 'Yes, stop sharing',
  keep: 'Keep sharing',
  stopped: (organization: string, project: string) =>
    `You have stopped sharing with ${organization} (${project}). No app can read your record for it now.`,
};
