import type { Details, Entry } from '../../../clinical/entries/entry.ts';
import type { ContextFact } from '../../../clinical/entries/entry-link.ts';
import { formatFactName } from './context-text.ts';
import { formatEndInForce, hasEnded } from './date-text.ts';
import { escapeInline } from './escape-markdown.ts';
import { join } from './markdown.ts';
import {
  formatBeginning,
  formatExpiry,
  formatMedicationStatus,
  formatStatusReason,
  getNoun,
} from './medications.ts';
import { STATUS_NOT_RECORDED } from './name-text.ts';
import { formatReference } from './reference-text.ts';

type WithContext<E> = E & { context?: readonly ContextFact[] | null };

/** Statuses of observations that say nothing; "completed" is what `final` is of a questionnaire. */
const USUAL_STATUSES = new Set<string | null>(['final', 'completed', null]);

/** "cancelled", of a result that is not what results are. */
export const formatObservationStatus = ({ status }: Pick<Entry, 'status'>): string =>
  USUAL_STATUSES.has(status) ? '' : escapeInline(status, 80);

/**
 * Says in which sense an entry is so: in force, over, doubted, refuted, proposed, not given. FHIR calls these elements
 * modifiers: whatever shows an entry without them says something else. Empty where it is what a reader expects of the kind.
 */
export function formatStatus(entry: WithContext<Entry>, today: string): string {
  switch (entry.kind) {
    case 'condition':
      return formatConditionStatus(entry, today);
    case 'allergy':
      return formatClinicalStatus(entry.detail);
    case 'medication':
      return entry.detail.none ? '' : formatDrugStatus(entry, today);
    case 'procedure':
      return entry.detail.none ? '' : formatWritten(entry);
    case 'immunization':
      if (entry.detail.notDone) return 'not given';
      if (entry.detail.none) return '';
      return join([entry.status === 'completed' ? '' : formatWritten(entry), formatPotency(entry.detail)]);
    case 'visit':
      return entry.status === 'finished' ? '' : formatWritten(entry);
    case 'note':
      return formatNoteStatus(entry);
    case 'lab':
    case 'vital':
    case 'social_history':
    case 'survey':
      return formatObservationStatus(entry);
    default:
      return escapeInline(entry.status, 80);
  }
}

/** "subpotent: Cold chain broken": a dose that counts less, or not at all. */
export const formatPotency = ({ subpotent }: Details['immunization']): string =>
  subpotent === undefined ? '' : `subpotent: ${escapeInline(subpotent, 200)}`;

/** A document or a report in force and as it is meant to be. */
const USUAL_NOTE_STATUSES = new Set<string | null>(['final', 'current', 'completed', null]);

/** "preliminary", "superseded, replaced by Discharge letter of 2026-01-02 (DocumentReference/b)"; empty where it is what a reader expects. */
export function formatNoteStatus({
  status,
  detail,
  context,
}: WithContext<Pick<Extract<Entry, { kind: 'note' }>, 'status' | 'detail'>>): string {
  const words = [detail.docStatus, status].filter((each) => !USUAL_NOTE_STATUSES.has(each));
  const relations = (context ?? []).flatMap((fact) => {
    const relation = RELATIONS.get(fact.role);
    if (relation === undefined) return [];
    const day = fact.text === null ? '' : ` of ${escapeInline(fact.text, 20)}`;
    return `${relation} ${formatFactName(fact)}${day} (${formatReference({ reference: fact.from })})`;
  });
  return join([...new Set(words.map((each) => escapeInline(each, 80))), ...relations], ', ');
}

const RELATIONS: ReadonlyMap<ContextFact['role'], string> = new Map([
  ['replacedBy', 'replaced by'],
  ['replaces', 'replaces'],
  ['appendedBy', 'with the addendum'],
  ['appends', 'addendum to'],
]);

const formatWritten = ({ status }: Pick<Entry, 'status'>): string =>
  escapeInline(status ?? STATUS_NOT_RECORDED, 80);

/** Active with an end date that has passed: the record contradicts itself. */
const formatConditionStatus = (entry: Extract<Entry, { kind: 'condition' }>, today: string): string =>
  join([formatClinicalStatus(entry.detail), formatEndInForce(entry, today)], ', ');

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
  const status =
    current && hasEnded(entry, today)
      ? formatMedicationStatus(entry, today)
      : formatStatusReason(escapeInline(entry.status ?? STATUS_NOT_RECORDED, 80), detail);
  const isOrder = detail.resource === 'MedicationRequest' || detail.resource === 'MedicationStatement';
  return join(
    [
      `${isOrder ? '' : `${getNoun(entry)}: `}${status}`,
      formatBeginning(entry, today),
      current ? formatExpiry([entry], today) : null,
      current || detail.intent === 'order' ? null : escapeInline(detail.intent, 80),
    ],
    ', ',
  );
}
