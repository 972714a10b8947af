import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import type { Entry } from '../../../clinical/entries/entry.ts';
import type { ObservationDetail } from '../../../clinical/entries/observation-detail.ts';
import { pluralize } from './format-number.ts';
import { join } from './markdown.ts';
import { formatMeasurement, formatVital } from './measure-text.ts';
import { formatName, formatWords, STATUS_NOT_RECORDED } from './name-text.ts';
import { escapeInline, escapeValue } from './escape-markdown.ts';
import { addStatus } from './observation-status.ts';
import { renderProvenance, type Provenance } from './provenance.ts';
import { formatReference } from './reference-text.ts';
import { formatDateTime } from './date-text.ts';
import { formatClinicalStatus, formatPotency } from './status-text.ts';

type ComparableEntry = Pick<Entry, 'kind' | 'title' | 'status' | 'detail'> &
  Pick<StoredEntry, 'dayText' | 'time' | 'endText'> &
  Provenance;

type Statement = Pick<Entry, 'kind' | 'title' | 'status' | 'detail' | 'endText'>;

/** The most disagreements that an answer lists; nobody compares more. */
const MAX_DISAGREEMENTS = 20;

/**
 * Renders one line for each fact that sources record differently, with both statements; neither is taken for the right one.
 * Returns null when none of the shown entries is contradicted.
 */
export function renderDisagreements(shown: readonly ComparableEntry[]): string | null {
  // A contradicting entry that is shown itself brings its own matches.
  const rows = new Map(shown.map((entry) => [entry.reference, entry]));
  const lines = new Map<string, string>();
  for (const entry of shown)
    for (const other of entry.matches ?? []) {
      if (other.link !== 'differs') continue;
      const pair = [entry.reference, other.reference].sort().join(' ');
      if (!lines.has(pair)) {
        lines.set(pair, renderDisagreement(entry, rows.get(other.reference) ?? { ...other, matches: null }));
      }
    }
  if (lines.size === 0) return null;
  const more =
    lines.size > MAX_DISAGREEMENTS
      ? [`- … and ${pluralize(lines.size - MAX_DISAGREEMENTS, 'further contradiction')}.`]
      : [];
  return [
    'Sources disagree on the following; each value is shown with its source:',
    '',
    ...[...lines.values()].slice(0, MAX_DISAGREEMENTS),
    ...more,
  ].join('\n');
}

/** "- Metformin 500 MG, 2021-03-02: once daily (St. Mary, MedicationRequest/a); twice daily (letter.xml, …)" */
function renderDisagreement(entry: ComparableEntry, other: ComparableEntry): string {
  const date = entry.dayText === null ? '' : `, ${formatDateTime(entry)}`;
  const sides = [entry, other].map(
    (side) =>
      `${renderStatement(side, side === entry ? other : entry)} (${renderProvenance([side])}, ${formatReference(side)})`,
  );
  return `- ${formatName(entry.title, 200)}${date}: ${join(sides)}`;
}

/** Renders the part of an entry that a contradiction may be about. */
function renderStatement(entry: Statement, other: Statement): string {
  const typed = entry as Entry;
  const status = escapeValue(typed.status ?? STATUS_NOT_RECORDED);
  switch (typed.kind) {
    case 'condition':
      return joinParts(
        formatClinicalStatus(typed.detail),
        escapeInline(typed.detail.severity, 120),
        label('stage:', typed.detail.stage),
        renderEnd(typed),
      );
    case 'allergy':
      return joinParts(
        formatClinicalStatus(typed.detail),
        ...[...typed.detail.reactions, typed.detail.criticality].map((each) => escapeInline(each, 120)),
        hasOtherType(typed, other as Entry) ? escapeInline(typed.detail.type, 80) : '',
      );
    case 'medication':
      return joinParts(formatWords(typed.detail.dosage, 200), status, renderEnd(typed));
    case 'procedure':
      return joinParts(
        status,
        label('outcome:', typed.detail.outcome),
        label('complications:', typed.detail.complications),
        renderEnd(typed),
      );
    case 'visit':
      return joinParts(status, renderEnd(typed), label('discharged to:', typed.detail.disposition));
    case 'vital':
      return addStatus(formatVital(typed), typed);
    case 'social_history':
      return joinParts(addStatus(formatResult(typed.detail), typed), renderEnd(typed));
    case 'lab':
    case 'survey':
      return addStatus(formatResult(typed.detail), typed);
    case 'immunization':
      return joinParts(
        typed.detail.notDone ? 'not given' : 'given',
        formatPotency(typed.detail),
        label('lot', typed.detail.lot),
        escapeInline(typed.detail.dose, 80),
      );
    default:
      return status;
  }
}

/** A susceptibility has no value: its interpretation is the result. */
const formatResult = (detail: ObservationDetail): string =>
  detail.value === null && detail.components.length === 0 && detail.interpretation !== null
    ? escapeInline(detail.interpretation, 120)
    : formatMeasurement(detail);

/** Most are allergies, which goes without saying. */
const hasOtherType = ({ detail }: Extract<Entry, { kind: 'allergy' }>, other: Entry): boolean =>
  other.kind === 'allergy' && other.detail.type !== null && other.detail.type !== detail.type;

const joinParts = (...parts: readonly string[]): string => join(parts, ', ');

const label = (name: string, value: string | null | undefined): string =>
  value ? `${name} ${escapeInline(value, 120)}` : '';

const renderEnd = ({ endText }: Pick<Entry, 'endText'>): string => label('until', endText);
