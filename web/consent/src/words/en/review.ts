/** The review before a decision. */
export const review = {
  title: (client: string) => `Let ${client} read your health record?`,
  who: 'Who asks',
  why: 'What it is for',
  organization: 'Organization',
  project: 'Project',
  purpose: 'Purpose',
  ownRequest: (client: string) => `At your own request, so that ${client} can answer with your record.`,
  what: 'What it can read',
  whole: (organization: string) => `Your whole health record, as ${organization} holds it:`,
  groups: [
    'Health problems, now and in the past',
    'Medicines',
    'Allergies',
    'Lab results',
    'Vital signs, such as blood pressure and weight',
    'Procedures and surgeries',
    'Vaccines',
    'Visits to doctors and hospitals',
    'Notes your care team wrote',
    'Your name, birth date and contact details',
  ],
  sensitive:
    'This includes private matters, if your record holds them. Some are mental health, HIV, pregnancy, alcohol and drug use.',
  readOnly: 'It can only read. It cannot change anything.',
  offline: 'Also while you are away',
  offlineText: (client: string) =>
    `${client} may read your record at other times too, without asking you each time.`,
  onlyNow: 'Only for a short time',
  onlyNowText: (client: string) => `${client} has to come back to you here to read more later.`,
  howLong: 'For how long',
  until: (date: string) => `Until ${date}. Then it ends by itself.`,
  stopping: 'How to stop it',
  stoppingText: 'You can stop it at any time, for any reason. It takes effect at once. Sign in here:',
  goodToKnow: 'Good to know',
  passedOn: (client: string) =>
    `What ${client} has read, it may keep or pass on. Health privacy law may then no longer protect it. Stopping later does not take that back.`,
  noEffect: (organization: string) =>
    `You are free to say no. It changes nothing else: not your care, your payments or your benefits, and nothing between you and ${organization}.`,
  decide: 'Your decision',
  signing: (name: string, email: string) =>
    `You decide as ${name} (${email}). We keep a record of your answer with the date and time. It counts as your signature.`,
  allow: 'Allow',
  deny: 'Do not allow',
};
