import { failed, ok, skipped } from './finding-sentences.ts';

/** What the walk with a test patient shows; `{reason}` is the answer of the service. */
export const FOUND_BY_WALK = {
  operator_checks: skipped(
    'doctor',
    'Several organizations use this installation: its settings, mail server, identity provider, object store, backups, database and stored secrets are its operator’s to check, with npx chartgate doctor.',
  ),
  no_walk: skipped('test_patient', 'No test patient was used.'),
  walk_needs_address: skipped('test_patient', 'No test patient was used: the service is not reached.'),
  walk_needs_schema: skipped(
    'test_patient',
    'No test patient was used: the store is not of the schema of this program.',
  ),
  walk_needs_key: skipped(
    'test_patient',
    'No test patient was used; with an admin key in CHARTGATE_API_KEY and CHARTGATE_API_SECRET, one is.',
  ),
  no_organization: failed(
    'test_patient',
    'There is no such organization.',
    'Name one that there is with --organization, or create one: npx chartgate init.',
  ),
  key_of_another: failed(
    'api_key',
    'No organization of this name or id has the API key: a key is of one organization, and it is called otherwise.',
    'Give the name or the id of the organization of the key, or a key of the one that you named.',
  ),
  several_organizations: skipped(
    'test_patient',
    'There are several organizations; name one with --organization.',
  ),
  key_refused: failed(
    'api_key',
    'The API key is not accepted: {reason}.',
    'Give an admin key of this organization.',
  ),
  enrolled: ok('test_patient', 'A test patient was created, enrolled and signed in.'),
  not_enrolled: failed(
    'test_patient',
    'No test patient could be enrolled: {reason}.',
    'Look at the log of the node for this answer.',
  ),
  uploaded: ok('upload', 'A record was uploaded and read.'),
  not_uploaded: failed(
    'upload',
    'A record could not be uploaded and read: {reason}.',
    'npx chartgate jobs lists what was given up; the log of the node has why.',
  ),
  consented: ok('consent', 'The test patient consented.'),
  not_consented: failed(
    'consent',
    'The test patient could not consent: {reason}.',
    'Look at the log of the node: no patient can consent either.',
  ),
  read: ok('mcp', 'The official MCP client read the summary.'),
  not_read: failed(
    'mcp',
    'The official MCP client could not read the summary: {reason}.',
    'Look at the log of the node: no agent can read either.',
  ),
  other_summary: failed(
    'mcp',
    'The summary that the official MCP client got is not that of the test patient.',
    'Look at the log of the node: no agent can read either.',
  ),
  withdrawn: ok('withdrawal', 'After the withdrawal the next read was refused.'),
  not_withdrawn: failed(
    'withdrawal',
    'The test patient could not withdraw: {reason}.',
    'Look at the log of the node: no patient can withdraw either.',
  ),
  read_after_withdrawal: failed(
    'withdrawal',
    'The record was read after the withdrawal.',
    'Stop the service and keep its log: a read was served that no consent covers.',
  ),
  check_broke: failed(
    'doctor',
    'The check of {step} ended by itself: {reason}.',
    'Look at the log of the node.',
  ),
} as const;
