/** The review before a decision, in the order it is read. */
export const review = {
  title: (client: string) => `Let ${client} read your health record?`,
  lead: 'Read this first. You can change what you share and for how long. Nothing is shared until you press Allow.',
  leadShared:
    'Read this first. You can change what you share and for how long. Nothing more is shared until you press Allow.',
  shared: {
    title: (organization: string) => `${organization} reads your record already`,
    by: (consents: string) => `It does so by another yes of yours: ${consents}.`,
    goesOn: 'That goes on, whatever you answer here. You can stop it on your own page.',
    quoted: (consent: string) => `“${consent}”`,
  },
  who: {
    title: 'Who asks',
    firstSeen: 'We see this app for the first time.',
    registered: (date: string) => `We have known this app since ${date}.`,
    says: (parts: string) => `The app’s own words: ${parts}`,
    parts: { policy: 'privacy policy', terms: 'terms of use', homepage: 'pages', contact: 'contact' },
    policy: (host: string) => `Privacy policy at ${host}`,
    terms: (host: string) => `Terms of use at ${host}`,
    homepage: (host: string) => `Its pages at ${host}`,
    contact: (email: string) => `Contact: ${email}`,
  },
  short: {
    title: (client: string) => `Let ${client} read your health record again?`,
    lead: 'You said yes to this app before. What it is for, and this page, are as they were then. It gets no more than before.',
    readAll: 'Read it all, or change something',
    changed: 'Something has changed just now. Please read it all, and then decide.',
  },
  changed: {
    sharing: 'You share with this project now',
    shared: 'You shared with this project before',
    holds: (date: string, end: string) => `You said yes on ${date}. That holds until ${end}.`,
    over: (date: string) => `You said yes on ${date}. That has ended.`,
    earlier: 'What you shared',
    everything: 'Your whole record, without the very private things.',
    contentChanged: 'The project now tells you other things than it did then.',
    old: 'Then',
    now: 'Now',
    nothing: 'Nothing was said.',
    pageChanged: 'This page has changed since then too. Please read it as if it were new.',
    replaces: 'That stays, whatever you answer. This page asks for one app.',
    alsoFor: (apps: string) => `Other apps keep just what they have: ${apps}.`,
  },
  why: {
    title: 'What it is for',
    organization: 'Organization',
    project: 'Project',
    purpose: 'Purpose',
    benefits: 'How it may help',
    risks: 'What the risks are',
    neededFor: (category: string) => `What it needs “${category}” for`,
    contact: 'Who answers your questions',
    ownRequest: (client: string) =>
      `You ask for it yourself, so that ${client} can use your record to help you.`,
    onlyIn: 'The project wrote this in Spanish only.',
    onlyThisIn: 'in Spanish only',
  },
  what: {
    title: 'What it can read',
    choose: 'Choose what you share:',
    readOnly: 'It can only read. It cannot change anything in your record.',
    gives: 'Who gives it out',
    givesText: (organization: string) => `${organization}, by means of this service`,
    gets: 'Who can read it',
    getsText: (client: string, organization: string) =>
      `${client}, and the people at ${organization} who work on this project`,
  },
  private: {
    title: 'Very private things',
    lead: 'We leave these out unless you choose them here.',
    limits: 'We look for them by codes and words, as well as we can. We may miss some.',
  },
  part2: {
    title: 'Your consent for records of alcohol or drug treatment',
    law: 'A federal law (42 CFR part 2) guards these records. So we have to tell you this part on its own.',
    patient: 'Patient',
    gives: 'Who gives it out',
    givesText: (organization: string) =>
      `${organization}, and each treatment program whose records are kept here`,
    what: 'What is shared',
    whatText:
      'Records of your treatment for the use of alcohol or drugs. They can say that you were treated, why, where, how, and with which medicines.',
    kinds: (names: string) => `They are shared if they are of these kinds: ${names}.`,
    notNotes: 'Notes of your counseling talks about alcohol or drug use are left out.',
    gets: 'Who can read it',
    purpose: 'What for',
    stop: 'How to take it back',
    stopText:
      'You can take it back at any time, on your own page or in writing. What was shared before then, because you said yes, is not undone.',
    ends: 'Until',
    signed: 'Signed by',
    date: 'Date',
    passedOn:
      'Whoever gets these records may not pass them on, unless you say yes to it or that law lets them.',
  },
  away: {
    title: 'Also while you are away',
    text: (client: string) =>
      `${client} may read your record at other times too. It does not ask you each time.`,
    not: 'Only while you use it',
    notText: (client: string) => `${client} has to come back to you here to read more later.`,
    once: (client: string) =>
      `${client} asks to read while you are away too. You chose “Just this once”, so it cannot.`,
  },
  howLong: {
    title: 'For how long',
    choose: 'Choose for how long:',
    durations: {
      once: 'Just this once',
      '30-days': '30 days',
      '90-days': '90 days',
      '1-year': 'One year',
      until: 'Until a day you choose',
    },
    once: 'For one hour. Then it has to ask you again.',
    day: 'Last day',
    dayHint: (first: string, last: string) => `A day from ${first} to ${last}.`,
    ends: (date: string) => `It ends by itself on ${date}.`,
    endsOnce: (time: string) => `It ends by itself one hour after you say yes, on ${time}.`,
    goesOn: (organization: string, date: string) =>
      `What you share with ${organization} now goes on until ${date}.`,
    endsUnknown: 'It ends by itself on the day you choose.',
    asNow: (date: string) => `Until ${date}, as now`,
    alsoFor: (apps: string) => `These apps can read no longer than that: ${apps}.`,
  },
  stopping: {
    title: 'How to stop it',
    text: 'You can stop it at any time, for any reason. It takes effect at once. Sign in here:',
    writing: (organization: string) => `You can also write to ${organization}.`,
    limits: 'What was read before then is not taken back.',
  },
  good: {
    title: 'Good to know',
    passedOn: (client: string) =>
      `What ${client} has read, it may keep or pass on. Health privacy law may then no longer guard it.`,
    free: (organization: string) =>
      `You are free to say no. It changes nothing else: not your care, what you pay or your benefits, and nothing between you and ${organization}.`,
    copy: 'You get a copy. We send you a mail when your receipt is ready, and you can download it.',
  },
  decision: {
    title: 'Your decision',
    short: 'In short',
    read: 'It can read',
    everything: 'All kinds of data',
    nothing: 'Nothing yet',
    but: (names: string) => `All kinds of data, but not: ${names}`,
    only: (names: string) => `Only: ${names}`,
    private: 'Very private things',
    noPrivate: 'None',
    until: 'Until',
    onceUntil: (time: string) => `For one hour, until ${time}`,
    forAppOnly: (end: string, organization: string, date: string) =>
      `${end}. ${organization}: until ${date}, as now`,
    compared: {
      title: 'Beside what you share now',
      same: (organization: string) => `It is what you share with ${organization} now.`,
      less: (organization: string) =>
        `This app gets less than what you share. ${organization} and your other apps keep what they have.`,
      more: (organization: string) =>
        `It is more than you share now. ${organization} gets this too. Your other apps do not.`,
      missing: 'Not for this app',
      added: 'New',
      sooner: 'It ends sooner for this app.',
      later: 'It lasts longer than now.',
      addedEnds: (organization: string) =>
        `What is new ends for ${organization} when it ends for this app. What you share now goes on.`,
      missingEnds: 'What this app does not get ends when it does now.',
      forAll: 'To share less with everyone, go to your own page.',
    },
    signing: (name: string, email: string, date: string) => `You sign as ${name} (${email}) on ${date}.`,
    signingFor: (representative: string, name: string, date: string) =>
      `${representative} signs for ${name} on ${date}.`,
    counts:
      'If you press Allow, that is your signature. We keep a picture of this page with it, and the date and time.',
    represent: 'I sign for this person as their representative',
    representName: 'Your own name',
    authority: 'Why may you sign for them?',
  },
  errors: {
    categories: 'Choose at least one kind of data to share',
    dayMissing: 'Choose the last day',
    dayWrong: (first: string, last: string) => `Choose a last day from ${first} to ${last}`,
    nameMissing: 'Enter your own name',
    authorityMissing: 'Choose why you may sign',
  },
  choicesLost:
    'Your last choice did not reach us before this page was loaded again. Nothing is chosen now: please choose once more.',
  progress: {
    'sending-picture': 'We send the picture of this page …',
    'sending-answer': 'We send your answer …',
    lost: 'The connection is lost. We try again as soon as it is back. You can wait here.',
  },
  allow: 'Allow',
  deny: 'Do not allow',
};
