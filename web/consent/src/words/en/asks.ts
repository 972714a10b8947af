/** What the review says in other words where an organization asks, not an app, by the type of consent. */
export const asks = {
  changed: {
    replaces:
      'If you say yes, your new answer takes the place of the old one. If you say no, what you share here ends.',
    alsoFor: (apps: string) =>
      `If you share less now, these apps get less too: ${apps}. They never get more by this.`,
  },
  why: {
    ownRequest: (organization: string) =>
      `${organization} has not said what for. Ask them before you decide.`,
  },
  DATA_AUTHORIZATION: {
    title: (organization: string) => `Let ${organization} read your health record?`,
    lead: 'Read this first. You can change what you share and for how long. Nothing is shared until you press Allow.',
    what: {
      title: 'What they can read',
      readOnly: 'They can only read. They cannot change anything in your record.',
      recipients: (organization: string) => `The people at ${organization} who work on this project`,
    },
    away: {
      title: 'When they read',
      text: (organization: string) =>
        `${organization} may read your record at any time until it ends. It does not ask you each time.`,
    },
    decision: { read: 'They can read' },
  },
  PATIENT_DIRECTED_DATA_EXCHANGE: {
    title: (organization: string) => `Take part with ${organization}, with apps that you choose?`,
    lead: 'Read this first. You can change what you share and for how long. Nothing is shared until you press Allow.',
    what: {
      title: 'What they can read',
      readOnly: 'They can only read. They cannot change anything in your record.',
      recipients: (organization: string) =>
        `The people at ${organization} who work on this project, and apps that you connect yourself`,
    },
    away: {
      title: 'When they read',
      text: (organization: string) =>
        `${organization} may read your record at any time until it ends. An app asks you here before it reads for the first time.`,
    },
    decision: { read: 'They can read' },
  },
  FUTURE_DATA_USE: {
    title: (organization: string) => `Let ${organization} use your data in later research?`,
    lead: 'Read this first. You can change which data and for how long. With this yes alone, nobody can read your record.',
    what: {
      title: 'What may be used later',
      readOnly:
        'This lets them use again what you share by another yes. By itself it opens your record to nobody.',
      recipients: (organization: string) =>
        `Nobody now. Later, the people at ${organization} who work on other research`,
    },
    away: {
      title: 'When they use it',
      text: (organization: string) =>
        `${organization} may use it in research that begins before this ends. It does not ask you each time.`,
    },
    decision: { read: 'May be used' },
  },
};
