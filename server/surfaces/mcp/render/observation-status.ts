import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
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
