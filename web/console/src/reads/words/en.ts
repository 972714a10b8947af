import { categories } from '../../consents/words/en/categories.ts';

export const reads = {
  title: 'Reads',
  seenByPatient: 'The patient sees in their own log that you looked at who reads their record.',
  show: 'Show the reads',
  lead: 'Who has read what of patients’ records, under their consent, and what was refused.',
  list: 'Reads of records',
  empty: 'Nobody has read a record yet. Every read of an app or of your own programs will stand here.',
  columns: {
    what: 'What',
    outcome: 'Outcome',
    when: 'When',
    reader: 'By',
    patient: 'Patient',
    entries: 'Entries',
    project: 'Project',
    kinds: 'Kinds of data',
    consent: 'Under',
  },
  categories,
  notShared: (kinds: string) => `Asked for and not shared: ${kinds}`,
  openConsent: 'The consent',
  filters: {
    action: 'Kind',
    outcome: 'Outcome',
    reason: 'Refused because',
    tool: 'Tool',
    client: 'App id',
    patientId: 'Patient id',
    since: 'From',
    until: 'Until',
  },
  actions: {
    'mcp.tools_call': 'Tool call',
    'fhir.everything': 'Whole record as FHIR',
    'fhir.read': 'One resource as FHIR',
  },
  outcomes: { success: 'Read', refused: 'Refused', failed: 'Failed' },
  reasons: {
    access_revoked: 'No consent is in force',
    forbidden: 'It is not permitted',
  } as Readonly<Record<string, string>>,
  ownProgram: 'A program of yours',
  direct: 'A program with the patient’s own token',
  readers: {
    title: 'Who read most, the last four weeks',
    none: 'Nobody has read a record in this time.',
    reads: 'Reads',
    refused: 'Refused',
  },
  heat: {
    title: 'When records are read, the last four weeks',
    lead: 'Tool calls and FHIR reads by weekday and hour, in your time zone or UTC.',
    all: 'All reads',
    refused: 'Refused reads',
    shown: 'What is shown',
    weekday: 'Day',
    newest: 'show the newest of these hours',
    hour: (hour: string) => `${hour}:00`,
  },
};

export type ReadsWords = typeof reads;
