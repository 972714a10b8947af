/** How the organization presents itself to people. */
export const organization = {
  title: 'Organization',
  lead: 'How the organization presents itself to the people it invites, on pages and in mails.',
  displayName: 'Name for people',
  displayNameHint: (name: string) => `Stands on pages and in mails. Empty: ${name}.`,
  publicName: 'What it invites to',
  publicNameHint:
    'Stands in the subjects of mails, which anybody may see over a shoulder. Empty: no subject names a project.',
  contactName: 'Who answers questions',
  contactEmail: 'Their e-mail address',
  contactPhone: 'Their telephone',
  contactWrong: 'Enter an e-mail address such as name@example.com',
  faultAddresses: 'Who is mailed when something fails',
  faultAddressesHint: 'E-mail addresses with commas between them. Empty: every member.',
  addressesWrong: 'Enter e-mail addresses with commas between them',
  languages: 'Languages of mails',
  languageChoices: {
    'en es': 'Both; English if unknown',
    'es en': 'Both; Spanish if unknown',
    en: 'English only',
    es: 'Spanish only',
  },
  timeZone: 'Time zone',
  timeZoneHint: 'Days in charts and statistics, and in filters by day, are days of this zone.',
  onlyVouchedApps: 'Let in only apps that we vouch for',
  onlyVouchedAppsHint:
    'In every project, also those that come. Other apps may not ask patients for consent; those that are connected stay. A project may ask for this alone.',
  noNewRegistrations: 'Let in no apps that are new here',
  noNewRegistrationsHint:
    'An app that has never asked our patients is turned away, and so is a new registration of one that has. What is connected goes on. An app that registers anew for each person gets no further patients.',
  brand: {
    title: 'How patients recognize you',
    lead: 'Where you speak to patients: on the consent page, the invitation and its sign-in, and on the own page of those who take part with you alone. Mails stay plain.',
    mark: 'Mark',
    markHint:
      'A small picture: PNG, JPEG or WebP. It is drawn anew as a square, and stands beside your name in place of ours.',
    removeMark: 'Use no mark',
    faults: {
      unreadable: 'This is no picture that the browser can read. Choose a PNG, JPEG or WebP.',
      too_large: 'This picture is too large. Choose a simpler or smaller one.',
    },
    color: 'Color',
    colorHint: 'Of buttons, links and marks.',
    removeColor: 'Use the service’s colors',
    adjusted: (light: string, dark: string) =>
      `It is made as dark or as light as letters need to be read: ${light} on light pages, ${dark} on dark ones.`,
    schemes: { light: 'Light', dark: 'Dark' },
    sampleTitle: (name: string) => `${name} asks for your consent`,
    sampleLink: 'What is shared',
    sampleNote: 'Nothing is shared until you say yes.',
    sampleButton: 'Yes, share it',
    save: 'Save mark and color',
  },
  saved: 'The organization is changed.',
  facts: 'Given at the start',
  name: 'Name',
  id: 'Organization id',
  readOnly: 'Your role reads this; owners and admins change it.',
};

export type OrganizationWords = typeof organization;
