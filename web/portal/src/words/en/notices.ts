/** Which mails a person wants about the use of their record. */
export const notices = {
  lead: 'We can write to you when something happens with your data. The mails never say anything about your health.',
  legend: 'Write to me when',
  settings: {
    firstRead: {
      label: 'A new app reads my data',
      hint: 'The first time that an app reads it',
    },
    unusualVolume: {
      label: 'An app reads much more than usual',
      hint: 'At least 100 times in an hour, and ten times what is usual for it',
    },
    unusedConsent: {
      label: 'Nobody uses what I agreed to',
      hint: 'After 90 days. You can then end it, or keep it.',
    },
    heldUpload: {
      label: 'A file waits for my answer',
      hint: 'After three days, if we are not sure that it is yours',
    },
    weeklyDigest: {
      label: 'A week has passed',
      hint: 'How often your data was read in it, also if nobody did',
    },
  },
  mailTo: (email: string) => `We write to ${email}.`,
  testPatient: 'This is a test account. It has no mailbox, so no mails are sent.',
  save: 'Save',
  saved: 'Saved.',
};
