import type { Recorded } from '../records/clinical.sql.ts';
import type { Entry } from '../records/entry.ts';
import { counted, listed } from './markdown.ts';
import { measurement, vitalText } from './measure-text.ts';
import { nameText } from './name-text.ts';
import { inline } from './record-text.ts';
import { sourceOf, type Provenance } from './source.ts';
import { momentOf } from './written-dates.ts';

type Contradicted = Pick<Entry, 'kind' | 'title' | 'status' | 'detail'> &
  Pick<Recorded, 'dayText' | 'time'> &
  Provenance;

/** An answer names this many; more are more than anybody compares. */
const MOST = 20;

/**
 * What sources say differently about one fact, a line each, both sides with what they say; neither is taken for the right
 * one. Null where none of what is shown is contradicted.
 */
export function disagreementText(shown: readonly Contradicted[]): string | null {
  // What is shown itself names its other sources too.
  const rows = new Map(shown.map((entry) => [entry.reference, entry]));
  const lines = new Map<string, string>();
  for (const entry of shown)
    for (const other of entry.toldElsewhere ?? []) {
      if (other.link !== 'differs') continue;
      const pair = [entry.reference, other.reference].sort().join(' ');
      if (!lines.has(pair)) {
        lines.set(pair, lineOf(entry, rows.get(other.reference) ?? { ...other, toldElsewhere: null }));
      }
    }
  if (lines.size === 0) return null;
  const more = lines.size > MOST ? [`- … and ${counted(lines.size - MOST, 'further contradiction')}.`] : [];
  return [
    'Told differently by different sources; each is shown as its source tells it:',
    '',
    ...[...lines.values()].slice(0, MOST),
    ...more,
  ].join('\n');
}

/** "- Metformin 500 MG, 2021-03-02: once daily (St. Mary, MedicationRequest/a); twice daily (letter.xml, …)" */
function lineOf(entry: Contradicted, other: Contradicted): string {
  const date = entry.dayText === null ? '' : `, ${momentOf(entry)}`;
  const sides = [entry, other].map(
    (side) => `${saidBy(side)} (${sourceOf([side])}, ${inline(side.reference, 200)})`,
  );
  return `- ${nameText(entry.title, 200)}${date}: ${listed(sides)}`;
}

const NOT_TOLD = 'status not told';

/** What of it a contradiction may be about. */
function saidBy(entry: Pick<Entry, 'kind' | 'title' | 'status' | 'detail'>): string {
  const told = entry as Entry;
  switch (told.kind) {
    case 'condition':
    case 'allergy':
      return standingOf(told);
    case 'medication':
      return listed([nameText(told.detail.dosage, 200), inline(told.status ?? NOT_TOLD)], ', ');
    case 'vital':
      return vitalText(told);
    case 'lab':
    case 'social':
      return measurement(told.detail);
    case 'immunization':
      return listed(
        [
          told.detail.notDone ? 'not given' : 'given',
          told.detail.lot !== null && `lot ${inline(told.detail.lot, 80)}`,
        ],
        ', ',
      );
    default:
      return inline(told.status ?? NOT_TOLD);
  }
}

function standingOf(told: Extract<Entry, { kind: 'condition' | 'allergy' }>): string {
  const { clinicalStatus, verification } = told.detail;
  const reactions = told.kind === 'allergy' ? [...told.detail.reactions, told.detail.criticality] : [];
  return listed(
    [
      inline(clinicalStatus ?? NOT_TOLD),
      verification === 'confirmed' ? null : inline(verification),
      ...reactions.map((each) => inline(each, 120)),
    ],
    ', ',
  );
}
