/** Of how far those who were invited have come. */
export const funnel = {
  title: 'From the invitation to the decision',
  lead: (weeks: string) =>
    `Those who were first invited within the last ${weeks} weeks. Who takes part no more is not counted.`,
  empty: 'Nobody was invited within the last half year.',
  step: 'Step',
  people: 'People',
  part: 'Of those invited',
  median: 'Median time since the invitation',
  now: 'Who is there now',
  steps: {
    invited: 'Invited',
    opened: 'Opened the invitation',
    hasAccount: 'Has an account',
    consented: 'Said yes',
    declined: 'Said no',
  },
  byWeek: 'By the week of the invitation',
  week: 'Week from',
  outcomes: { consented: 'Said yes', declined: 'Said no', undecided: 'Not decided' },
};
