/** The words of `/`, the first page of the service. */
export const en = {
  title: 'Chartgate',
  lead: "A patient's health record, read by an AI agent or a partner system only while the patient consents.",
  readers: {
    patients: {
      title: 'Your own health data',
      text: 'See who reads your record, what they read, and stop it when you want.',
      link: 'Open your data',
    },
    agents: {
      title: 'You build an AI agent',
      text: 'One address is all that your agent needs. It finds the rest by itself, and asks the patient.',
      link: 'Connect an agent',
    },
    partners: {
      title: 'You run a study or a partner system',
      text: 'Invite people, read whole records as FHIR, and learn at once when a consent ends.',
      link: 'Read the guide',
    },
    operators: {
      title: 'You work for an organization here',
      text: 'Projects, patients, consents, webhooks and keys.',
      link: 'Open the console',
      documentation: 'Run the service',
    },
  },
  more: 'All of the documentation',
  otherLanguage: 'Español',
  languages: 'Language',
};

export type HomeWords = typeof en;
