import type { AttentionItem } from '../../../../../contract/organization/attention.ts';

export type AttentionCode = AttentionItem['code'];

/** What a sentence may name, ready to be shown. */
export interface AttentionParts {
  name: string;
  count: string;
  at: string;
}

export const home = {
  title: 'Home',
  lead: (organization: string) => `What ${organization} does with Chartgate, at a glance.`,
  attention: {
    title: 'Needs attention',
    nothing: 'Nothing needs you.',
    sentences: {
      app_unjudged: ({ name, count }) =>
        `A new app that nobody has judged: “${name}”. Patients who have connected it: ${count}.`,
      audit_altered: ({ at }) => `The audit log is not as it was written. It was checked on ${at}.`,
      base_url_insecure: () => `The service is reached without TLS: what people send can be read on the way.`,
      consents_ending: ({ count, at }) => `Consents that end by ${at}: ${count}.`,
      deliveries_exhausted: ({ name, count }) =>
        `Deliveries to ${name} that were given up since yesterday: ${count}.`,
      key_old: ({ name, at }) => `The API key “${name}” is older than a year (${at}). Rotate it.`,
      key_secret_ending: ({ name, at }) =>
        `A secret of the API key “${name}” ends on ${at}. Programs that still use it stop then.`,
      key_unused: ({ name, at }) =>
        `Nobody has used the API key “${name}” since ${at}. Revoke it if nobody needs it.`,
      mail_not_configured: () => `No mail server is set: mails are written as files, and nobody gets them.`,
      objects_not_deleted: ({ count }) =>
        `Files of removed uploads or people that could not be deleted from the object store: ${count}.`,
      secrets_lost: () =>
        `Stored secrets cannot be opened: their key is missing. Webhooks, sources or codes of authenticator apps do not work until it is back.`,
      source_ambiguous: ({ name, count }) => `Patients whom ${name} cannot tell apart: ${count}.`,
      source_failing: ({ name, count }) =>
        `Patients whose record could not be fetched from ${name}: ${count}.`,
      uploads_failed: ({ count }) => `Uploads of the last week that could not be read: ${count}.`,
      webhook_failing: ({ name, at }) => `${name} has acknowledged nothing since ${at}.`,
      webhook_secret_ending: ({ name, at }) =>
        `The former secret of ${name} ends on ${at}. Receivers must know the new one by then.`,
      webhook_suspended: ({ name, at }) =>
        `${name} answered that it is gone (410), so nothing is sent to it since ${at}.`,
    } as Readonly<Record<AttentionCode, (item: AttentionParts) => string>>,
    links: {
      app_unjudged: 'Look at the app',
      audit_altered: 'Look at the log',
      base_url_insecure: 'How to change it',
      consents_ending: 'See which',
      deliveries_exhausted: 'Look at the webhook',
      key_old: 'Open the keys',
      key_secret_ending: 'Open the keys',
      key_unused: 'Open the keys',
      mail_not_configured: 'How to set it',
      objects_not_deleted: 'What to do',
      secrets_lost: 'What to do',
      source_ambiguous: 'Look at the source',
      source_failing: 'Look at the source',
      uploads_failed: 'Open the patients',
      webhook_failing: 'Look at the webhook',
      webhook_secret_ending: 'Look at the webhook',
      webhook_suspended: 'Look at the webhook',
    } as Readonly<Record<AttentionCode, string>>,
  },
  activity: {
    title: 'The last four weeks',
    day: 'Day',
    measures: {
      given: 'Consents given',
      ended: 'Consents ended',
      inForce: 'Consents in force',
      reads: 'Reads',
      patients: 'Patients with reads',
      refused: 'Refused reads',
    },
    today: 'today',
    now: 'now',
    usual: (count: string) => `${count} on an average day`,
    before: (count: string) => `${count} four weeks ago`,
  },
  firstSteps: {
    title: 'First steps',
    done: '(done)',
    steps: {
      words_written: 'Write what patients read before they decide',
      patient_enrolled: 'Enroll the first patients',
      record_connected: 'Connect where records come from',
      reader_connected: 'Let somebody read, or be notified',
      second_owner: 'Invite a second owner',
    },
    asksNothing: 'No project asks the invited for a consent yet: choose one first.',
    hints: {
      words_written: 'A project says who reads what for, and what it means for a patient.',
      patient_enrolled: 'Import a list, or enroll one person.',
      record_connected: 'A FHIR server, or a record that a patient uploads.',
      reader_connected:
        'A patient connects an app by the project’s address, or a webhook tells your own system.',
      second_owner: 'Whoever is locked out needs somebody who can help.',
    },
  },
  pages: 'Where to go',
  hints: {
    patients: 'Enroll people, see who was invited and who has answered.',
    consents: 'What patients have decided, with the evidence of each decision.',
    reads: 'Who has read what, and what was refused.',
    apps: 'The apps that patients have connected.',
    webhooks: 'Addresses that are notified when something happens.',
    sources: 'Servers that records are fetched from.',
    usage: 'How much is read, uploaded and delivered.',
    audit: 'Every change, by whom and when.',
    apiKeys: 'Keys by which programs sign in.',
    testPatients: 'Synthetic people to try everything with.',
    projects: 'What patients read before they decide.',
    team: 'Who may sign in here, and what each may do.',
    organization: 'How the organization presents itself to people.',
  },
};

export type HomeWords = typeof home;
