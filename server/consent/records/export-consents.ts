import type { OrganizationCaller } from '../../../contract/audience.ts';
import { toCsvLine } from '../../platform/kernel/csv.ts';
import { findAskedClients } from '../grants/app-clients.ts';
import { auditView } from './audit-view.ts';
import {
  findPosition,
  toOrganizationConsentDto,
  type ListDeps,
  type ListQuery,
} from './organization-consents.ts';
import { selectOrganizationConsents } from './organization-consents.sql.ts';

/** Rows that are read and sent at a time. */
const PAGE_SIZE = 500;

export type ExportFormat = 'text/csv' | 'application/x-ndjson';

/**
 * Exports the decisions of a filter, newest first, as lines. The export is an entry of the organization's log, and of the
 * patient's where it is asked for one; it is durable before anything is sent.
 */
export async function exportOrganizationConsents(
  deps: ListDeps,
  caller: OrganizationCaller,
  { format, after, limit: _limit, client, ...filter }: ListQuery & { format: ExportFormat },
): Promise<AsyncGenerator<string>> {
  const position = after === undefined ? null : await findPosition(deps.db, caller, after);
  await auditView(deps.audit, caller, {
    action: 'consent.record_viewed',
    ...(filter.projectId !== undefined && { projectId: filter.projectId }),
    ...(filter.patientId !== undefined && { patientId: filter.patientId }),
    detail: { view: 'export', format },
  });
  const { organizationId } = caller;
  const clients = await findAskedClients(deps.db, { organizationId, client });
  return readLines(deps, { reach: caller, filter: { ...filter, ...clients }, after: position }, format);
}

type Selection = Pick<Parameters<typeof selectOrganizationConsents>[0], 'reach' | 'filter' | 'after'>;

async function* readLines(
  { db, clock }: ListDeps,
  selection: Selection,
  format: ExportFormat,
): AsyncGenerator<string> {
  const serialize = format === 'text/csv' ? toCsvRow : toJsonLine;
  // One time for all pages: a consent that ends meanwhile is neither missed nor twice.
  const now = clock.now();
  if (format === 'text/csv') yield toCsvLine(COLUMNS.map(([name]) => name));
  for (let { after } = selection; ;) {
    const rows = await db.query(selectOrganizationConsents({ ...selection, after, limit: PAGE_SIZE, now }));
    if (rows.length > 0) yield rows.map((row) => serialize(toOrganizationConsentDto(row))).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) return;
    after = { decided_at: last.decided_at, consent_record_id: last.consent_record_id };
  }
}

type Listed = ReturnType<typeof toOrganizationConsentDto>;

const toJsonLine = (consent: Listed): string => `${JSON.stringify(consent)}\n`;

const toCsvRow = (consent: Listed): string => toCsvLine(COLUMNS.map(([, read]) => read(consent)));

const join = (values: readonly string[] | null): string | null => values && values.join(' ');

/** By the names of the list's members. */
const COLUMNS: readonly [name: string, read: (consent: Listed) => string | number | null][] = [
  ['id', ({ id }) => id],
  ['timestamp', ({ timestamp }) => timestamp],
  ['patientId', ({ patient }) => patient.id],
  ['firstName', ({ patient }) => patient.firstName],
  ['lastName', ({ patient }) => patient.lastName],
  ['isDeleted', ({ patient }) => String(patient.isDeleted)],
  ['projectId', ({ project }) => project.id],
  ['projectName', ({ project }) => project.name],
  ['consentType', ({ consentType }) => consentType],
  ['consentStatus', ({ consentStatus }) => consentStatus],
  ['decision', ({ decision }) => decision],
  ['state', ({ state }) => state],
  ['expirationTimestamp', ({ expirationTimestamp }) => expirationTimestamp],
  [
    'fullRecordWithoutRestrictedData',
    ({ fullRecordWithoutRestrictedData }) => String(fullRecordWithoutRestrictedData),
  ],
  ['consentDataResourceScopes', ({ consentDataResourceScopes }) => join(consentDataResourceScopes)],
  ['consentDataSensitivityScopes', ({ consentDataSensitivityScopes }) => join(consentDataSensitivityScopes)],
  ['parts', ({ parts }) => parts && JSON.stringify(parts)],
  ['clientId', ({ clientId }) => clientId],
  ['clientName', ({ clientName }) => clientName],
  ['language', ({ language }) => language],
  ['consentUIFlow', ({ consentUIFlow }) => consentUIFlow],
  ['uiHash', ({ uiHash }) => uiHash],
  ['studySnapshotId', ({ studySnapshotId }) => studySnapshotId],
  ['version', ({ version }) => version],
  ['screenshots', ({ screenshots }) => screenshots],
];
