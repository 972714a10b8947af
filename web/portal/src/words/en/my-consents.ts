/** What a consent is called, and how it is stopped, narrowed and widened. */
export const consents = {
  /** By the type: in headings, buttons, receipts and the log. */
  names: {
    DATA_AUTHORIZATION: (organization: string) => `${organization} reads your record`,
    PATIENT_DIRECTED_DATA_EXCHANGE: (organization: string) =>
      `${organization} and apps you choose read your record`,
    FUTURE_DATA_USE: (organization: string) => `${organization} uses your data in later research`,
  },
  quoted: (consent: string) => `“${consent}”`,
  readers: {
    DATA_AUTHORIZATION: (organization: string) => `The people at ${organization} who work on this project`,
    PATIENT_DIRECTED_DATA_EXCHANGE: (organization: string) =>
      `The people at ${organization} who work on this project, and apps you connect`,
    FUTURE_DATA_USE: () => 'Nobody now. It may be used in later research.',
  },
  /** Of a consent that lets nobody read. */
  whatLater: 'What may be used later',
  appGoesOn: (app: string, consents: string) =>
    `${app} can still read what you share by another yes: ${consents}. Disconnect it there too.`,
  stillReadsBy: (organization: string, consents: string) =>
    `${organization} can still read your record, by another yes: ${consents}.`,
  stop: {
    title: (consent: string) => `Stop ${consent}?`,
    apps: (apps: string) => `These apps are stopped at once: ${apps}.`,
    noApp: 'From then on, no app can read your record for this project.',
    organization: (organization: string) => `From then on, ${organization} can no longer read your record.`,
    later: (organization: string) =>
      `From then on, ${organization} may not use your data in research that begins later. What it has begun may go on.`,
    stillReads: (organization: string) => `${organization} can still read your record, by another yes.`,
    goesOn: (consents: string) => `This goes on: ${consents}. To end that too, choose “Stop sharing” there.`,
    notTakenBack: 'What was read before is not taken back.',
    changeMind: {
      app: 'If you change your mind, connect from the app again.',
      invitation: 'If you change your mind, look again at what you were asked. This page leads there.',
      ask: (organization: string) => `If you change your mind, ask ${organization}.`,
    },
  },
  stopped: {
    done: (consent: string) => `You have stopped ${consent}.`,
    noApp: 'No app can read your record for this project now.',
    organization: (organization: string) => `${organization} cannot read your record now.`,
  },
  change: {
    title: (consent: string) => `Change ${consent}`,
    others: (consents: string) => `This stays as it is, and may share what you take out here: ${consents}.`,
    more: {
      app: 'To share more, connect again from the app. You are then asked anew.',
      invitation: 'To share more, look again at what you were asked, and decide anew.',
      ask: (organization: string) => `To share more, ask ${organization}.`,
    },
    saved: (consent: string) => `Saved. From now on you share less by ${consent}.`,
  },
  invitations: {
    title: 'What you were asked',
    look: (organization: string, project: string) => `Look again at what ${organization} asks (${project})`,
  },
};
