import type { DataMask } from '../../../../contract/brands.ts';
import type { Kind } from '../../../clinical/entries/entry.ts';
import type { OtherKind } from '../../../clinical/entries/other-kinds.ts';
import type { Holding } from '../../../clinical/queries/summary.sql.ts';
import type { AskedSubset } from '../../../clinical/search/question.ts';
import type { Search } from '../../../clinical/search/search-scope.sql.ts';
import { escapeInline } from './escape-markdown.ts';
import { OTHER_KIND_NAMES } from './kind-names.ts';
import { renderDays } from './search-reading.ts';

const NAMES: Readonly<Record<Exclude<Kind, OtherKind>, string>> = {
  condition: 'conditions',
  medication: 'medications',
  lab: 'laboratory results',
  vital: 'vital signs',
  allergy: 'allergies',
  procedure: 'procedures',
  immunization: 'immunizations',
  visit: 'visits',
  note: 'clinical notes',
};

const getName = (kind: Kind): string =>
  kind in NAMES ? NAMES[kind as keyof typeof NAMES] : OTHER_KIND_NAMES[kind as OtherKind].plural;

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const SUBSETS: Readonly<Record<AskedSubset, string>> = {
  abnormal: ' flagged as not normal',
  stopped: ' that are not taken any more',
  'to-avoid': ' that say what is not to be given',
};

/**
 * Says in one sentence that nothing was found: what was looked for, where, and what kinds there are. It never says that a
 * thing is not in the record: it may be there in words that the service does not know.
 */
export function renderNothing(
  { question, kinds }: Search,
  holdings: readonly Holding[],
  withheld: DataMask,
): string {
  const { concepts, words, window, kinds: askedKinds, subset } = question;
  const phrases = [
    ...concepts.map(({ phrase, readAs: [first] }) => first?.name ?? phrase),
    ...words.filter(({ weight }) => weight >= 0.3).map(({ text }) => text),
  ].map((phrase) => `“${escapeInline(phrase, 80)}”`);
  const wanted = phrases.length > 0 ? phrases : askedKinds.map(({ kind }) => getName(kind));
  const searched = kinds === null ? 'entries of all kinds' : joinNames([...new Set(kinds)].map(getName));
  const held = holdings.map(({ kind }) => getName(kind));
  const record = withheld === 0 ? 'this record' : 'the shared part of this record';
  return [
    'Nothing found',
    wanted.length > 0 ? ` for ${joinNames(wanted)}${subset === null ? '' : SUBSETS[subset]}` : '',
    ` among ${searched}`,
    window === null ? '' : ` (${renderDays(window)})`,
    held.length === 0 ? `; ${record} is empty.` : `; ${record} holds ${joinNames(held)}.`,
  ].join('');
}
