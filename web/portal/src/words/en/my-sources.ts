/** Hospitals and others that a person's record is fetched from. */
export const mySources = {
  title: 'Where your record comes from',
  lead: 'Organizations that you share with get your record from these places.',
  connectedBy: (organization: string) => `Connected by ${organization}`,
  states: {
    waiting: 'Waiting',
    running: 'Getting your record',
    up_to_date: 'Up to date',
    no_match: 'You were not found there',
    ambiguous_match: 'We could not tell who you are there',
    needs_organization_review: 'They have to check who you are there',
    failed: 'Could not be read',
    paused: 'Paused',
  },
  lastFetched: (time: string) => `Last fetched on ${time}`,
  neverFetched: 'Nothing has been fetched yet',
  /** What stands behind a state, and what the person can do. */
  reasons: {
    again: () => 'The last try did not work. We try again by ourselves.',
    partial: () => 'We did not get all of it. We ask for everything again next time.',
    notKnown: (organization: string) =>
      `Nobody there is like you, as far as we can see. Ask ${organization} to check your name and birth date.`,
    noNumber: (organization: string) =>
      `${organization} has not told us your patient number there. Ask them to add it.`,
    noBirthDate: (organization: string) =>
      `We need your birth date to find you. Ask ${organization} to add it.`,
    otherEmail: () => 'They know you by another e-mail address. Ask them to add the one you use here.',
    several: (organization: string) =>
      `Several people there are like you. To keep you safe, we got nothing. Ask ${organization} to add your patient number.`,
    otherPerson: (organization: string) =>
      `Your patient number there leads to somebody with another name or birth date. To keep you safe, we got nothing. Ask ${organization} to check it.`,
    notServed: () =>
      'It does not serve accounts of this kind: it is for tests only, or for real people only.',
    notTestData: () =>
      'This is a test account, and some records there are not marked as test data. We did not take those.',
    unreachable: () => 'It did not answer. Try again later.',
    notOurs: (organization: string) =>
      `The two systems do not work together now. You need not do anything: ${organization} has to fix it.`,
    tooLarge: (organization: string) =>
      `Your record there is larger than we can take in one go. Tell ${organization}.`,
    otherPatient: (organization: string) =>
      `It sent data of somebody else. To keep you safe, we kept none of it. Tell ${organization}.`,
    notStored: () => 'It sent something that we could not read. Your documents page says more.',
    ourFault: () => 'Something went wrong on our side. Please try again.',
    pausedThere: (organization: string) => `${organization} has paused it. Nothing is fetched now.`,
    notShared: (organization: string) =>
      `You do not share with ${organization} now, so nothing is fetched. What is here stays yours.`,
  },
  get: 'Get new records now',
  requested: {
    one: 'We are asking 1 place for new records. This can take a few minutes.',
    many: (count: string) => `We are asking ${count} places for new records. This can take a few minutes.`,
  },
  noneRequested: 'None of them can be asked now.',
  finished: 'We have asked all of them.',
  what: 'See what came in',
};
