import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { formatEndInForce } from './date-text.ts';
import { escapeInline, escapeValue } from './escape-markdown.ts';
import { join } from './markdown.ts';
import { formatName } from './name-text.ts';

/** Renders what a reader must know beyond name and date: doubt, severity, dates recorded as words, remarks. */
export function renderConditionDetails(
  entry: Pick<StoredEntry<'condition'>, 'detail' | 'current' | 'endText'>,
  today: string,
): string {
  const { detail } = entry;
  const { verification, clinicalStatus } = detail;
  const status = clinicalStatus === 'recurrence' || clinicalStatus === 'relapse' ? clinicalStatus : null;
  return join([
    status,
    verification !== null && verification !== 'confirmed' && escapeValue(verification),
    formatEndInForce(entry, today),
    renderConditionRemarks(entry),
  ]);
}

/** Renders what is said of a condition besides whether it is so. */
export const renderConditionRemarks = ({ detail }: Pick<StoredEntry<'condition'>, 'detail'>): string =>
  join([
    detail.severity !== null && formatName(detail.severity),
    detail.stage !== undefined && `stage: ${escapeInline(detail.stage, 120)}`,
    detail.bodySite !== undefined && formatName(detail.bodySite, 120),
    detail.onset !== null && `onset: ${escapeValue(detail.onset)}`,
    detail.abatement !== null && `ended: ${escapeValue(detail.abatement)}`,
    detail.note !== null && escapeValue(detail.note),
  ]);
