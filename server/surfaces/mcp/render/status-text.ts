import type { Details, Entry } from '../../../clinical/entries/entry.ts';
import { hasEnded } from './date-text.ts';
import { escapeInline } from './escape-markdown.ts';
import { join } from './markdown.ts';
import { formatMedicationStatus, getNoun } from './medications.ts';
import { STATUS_NOT_RECORDED } from './name-text.ts';

/** Statuses of observations that say nothing; "completed" is what `final` is of a questionnaire. */
const USUAL_STATUSES = new Set<string | null>(['final', 'completed', 'corrected', 'amended', null]);

/** "cancelled", of a result that is not what results are. */
export const formatObservationStatus = ({ status }: Pick<Entry, 'status'>): string =>
  USUAL_STATUSES.has(status) ? '' : escapeInline(status, 80);

/**
 * Says in which sense an entry is so: in force, over, doubted, refuted, proposed, not given. FHIR calls these elements
 * modifiers: whatever shows an entry without them says something else. Empty where it is what a reader expects of the kind.
 */
export function formatStatus(entry: Entry, today: string): string {
  switch (entry.kind) {
    case 'condition':
      return formatConditionStatus(entry);
    case 'allergy':
      return formatClinicalStatus(entry.detail);
    case 'medication':
      return entry.detail.none ? '' : formatDrugStatus(entry, today);
    case 'procedure':
      return entry.detail.none ? '' : formatWritten(entry);
    case 'immunization':
      if (entry.detail.notDone) return 'not given';
      return entry.detail.none || entry.status === 'completed' ? '' : formatWritten(entry);
    case 'visit':
      return entry.status === 'finished' ? '' : formatWritten(entry);
    case 'note':
      return entry.detail.docStatus === 'final' ? '' : escapeInline(entry.detail.docStatus, 80);
    case 'lab':
    case 'vital':
    case 'social_history':
    case 'survey':
      return formatObservationStatus(entry);
    default:
      return escapeInline(entry.status, 80);
  }
}

const formatWritten = ({ status }: Pick<Entry, 'status'>): string =>
  escapeInline(status ?? STATUS_NOT_RECORDED, 80);

/** Active with an end date: the record contradicts itself. */
const formatConditionStatus = ({ detail, current, endText }: Extract<Entry, { kind: 'condition' }>): string =>
  join([formatClinicalStatus(detail), current && endText !== null && `recorded as ended ${endText}`], ', ');

type Clinical = Pick<Details['condition'] | Details['allergy'], 'clinicalStatus' | 'verification' | 'none'>;

/** "active", "active, provisional", "refuted, recorded as active"; of a statement such as "no known allergies" only a doubt. */
export function formatClinicalStatus({ clinicalStatus, verification, none }: Clinical): string {
  const doubt = verification === 'confirmed' ? null : escapeInline(verification, 80);
  if (verification === 'refuted')
    return join([doubt, clinicalStatus && `recorded as ${escapeInline(clinicalStatus, 80)}`], ', ');
  const isPlain = none && (clinicalStatus === null || clinicalStatus === 'active');
  return join([isPlain ? null : escapeInline(clinicalStatus ?? STATUS_NOT_RECORDED, 80), doubt], ', ');
}

/** "active", "active, but ended 2020-02-01 by its own dates", "active, proposal", "dose: completed". */
function formatDrugStatus(entry: Extract<Entry, { kind: 'medication' }>, today: string): string {
  const { detail, current } = entry;
  const status = hasEnded(entry, today) ? formatMedicationStatus(entry) : entry.status;
  const isOrder = detail.resource === 'MedicationRequest' || detail.resource === 'MedicationStatement';
  return join(
    [
      `${isOrder ? '' : `${getNoun(entry)}: `}${escapeInline(status ?? STATUS_NOT_RECORDED, 120)}`,
      current || detail.intent === 'order' ? null : escapeInline(detail.intent, 80),
    ],
    ', ',
  );
}
