import type { ContextFact } from '../../../clinical/entries/entry-link.ts';
import type { GroupMember, ReferencedEntry } from '../../../clinical/queries/details.sql.ts';
import { formatFactName, formatFactText } from './context-text.ts';
import { formatDateTime, formatPeriod } from './date-text.ts';
import { renderContent } from './entry-content.ts';
import { escapeInline } from './escape-markdown.ts';
import { formatNumber } from './format-number.ts';
import { buildFactTable, join, type Block } from './markdown.ts';
import { formatName } from './name-text.ts';
import { renderAskFor, type Place } from './read-on.ts';
import { formatReference } from './reference-text.ts';

/** Renders what other sources state about the same fact: all of them, where a row names three. */
export function renderDuplicates(entry: ReferencedEntry | undefined): Block {
  const same = (entry?.matches ?? []).filter(({ link }) => link === 'same');
  if (same.length === 0) return null;
  return [
    'The same fact in other sources:',
    buildFactTable(
      ['Name', 'Date', 'Status'],
      same.map((other) => ({
        cells: [formatName(other.title, 200), formatDateTime(other), escapeInline(other.status, 80)],
        entries: [{ ...other, matches: null }],
      })),
    ),
  ];
}

const ROLE_NAMES: Readonly<Record<ContextFact['role'], string>> = {
  panel: 'part of',
  derived: 'derived from',
  reason: 'reason',
  diagnosis: 'diagnosis',
  order: 'ordered by',
  specimen: 'specimen',
  part: 'part of',
  device: 'device',
  replaces: 'replaces',
  replacedBy: 'replaced by',
  appends: 'addendum to',
  appendedBy: 'addendum',
};

/** Renders what other resources of the record say about it. */
export const renderContext = (context: readonly ContextFact[]): Block =>
  context.length === 0
    ? null
    : [
        'Other resources say of it:',
        context
          .map(
            (fact) =>
              `- ${ROLE_NAMES[fact.role]}: ${join([formatFactName(fact, 200), formatFactText(fact, 400)])} (${formatReference({ reference: fact.from })})`,
          )
          .join('\n'),
      ];

/** The entries that the mark of a row stands for. */
export interface Group {
  /** From `place.from.entry` on. */
  members: readonly GroupMember[];
  /** The number in the mark; null of a reference without one. */
  marked: number | null;
  place: Place;
}

/** Renders as many as are wanted. Members whose rows are equal share one, which names each of them: a number would lead back to where one comes from. */
export function renderMembers(group: Group, most: number, today: string): Block {
  const shown = group.members.slice(0, most);
  return [
    renderMembersHeading(group, shown.length),
    shown.length === 0
      ? null
      : buildFactTable(
          ['Name', 'Date', 'Content'],
          shown.map((entry) => ({
            cells: [formatName(entry.title, 200), formatPeriod(entry), renderContent(entry, today)],
            entries: [{ ...entry, groupKey: entry.reference }],
          })),
        ),
  ];
}

/** "All 24 of this group (its row, in one window, stands for 10):", "Of 364 of this group 1 to 250 (ask for … from entry 251):" */
function renderMembersHeading({ members, marked, place }: Group, shown: number): string {
  const first = place.from.entry;
  const size = members[0]?.groupSize ?? 0;
  const isMoment = members.some(({ kind }) => kind === 'lab' || kind === 'vital');
  const group = isMoment ? 'this moment' : 'this group';
  const last = first + shown - 1;
  const notes = [
    marked !== null &&
      marked < size &&
      `its row, ${isMoment ? 'of one table' : 'in one window'}, stands for ${formatNumber(marked)}`,
    last < size && renderAskFor(place, { entry: last + 1 }),
  ];
  const note = join(notes);
  const which =
    shown === size
      ? `All ${formatNumber(size)} of ${group}`
      : shown === 0
        ? `${formatNumber(size)} of ${group} do not fit here`
        : `Of ${formatNumber(size)} of ${group} ${formatNumber(first)} to ${formatNumber(last)}`;
  return `${which}${note === '' ? '' : ` (${note})`}:`;
}
