import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import type { WithoutValue } from '../../../clinical/queries/stated-values.sql.ts';
import { formatDateTime } from './date-text.ts';
import { join } from './markdown.ts';
import { formatAbsence } from './measure-text.ts';
import { formatName } from './name-text.ts';
import { formatReference } from './reference-text.ts';
import { formatObservationStatus } from './status-text.ts';

type WithStatus = Pick<StoredEntry, 'status'>;

/** "cancelled", "status unknown", beside a value that nothing else qualifies; '' where it is what a reader expects. */
export const formatStatusRemark = (entry: WithStatus): string =>
  entry.status === 'unknown' ? 'status unknown' : formatObservationStatus(entry);

/** "5.4 mmol/L (preliminary)" */
export function addStatus(value: string, entry: WithStatus): string {
  const remark = formatStatusRemark(entry);
  return remark === '' ? value : `${value} (${remark})`;
}

/** True when it states a value: FHIR's `cancelled` means that there is no valid one. */
export const isValid = ({ status }: WithStatus): boolean => status !== 'cancelled';

/** "later, 2026-09-02 12:00: no value: Hemolyzed (Observation/k2)": what was tried since, and stated no value. */
export function formatSince(since: WithoutValue | null): string {
  if (since === null) return '';
  const { absent, value = null } = since;
  const answer = absent === null ? formatName(isValid(since) ? value : null) : formatAbsence(absent);
  return `later, ${formatDateTime(since)}: ${join([formatStatusRemark(since), answer])} (${formatReference(since)})`;
}
