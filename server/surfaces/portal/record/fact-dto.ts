import { FACT_DETAILS, type RecordFact } from '../../../../contract/account/record-facts.ts';
import type { DocumentId } from '../../../../contract/brands.ts';
import { pairHalves } from '../../../clinical/entries/blood-pressure.ts';
import { getStart, isNotBegun } from '../../../clinical/entries/course-start.ts';
import type { Details, Entry } from '../../../clinical/entries/entry.ts';
import { isRecordEntry } from '../../../clinical/entries/other-kinds.ts';
import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import type { MatchedEntry } from '../../../clinical/queries/matches.sql.ts';
import type { DrugEnd } from '../../../clinical/queries/drug-ends.ts';
import type { Fact, PressureHalf } from '../../../clinical/queries/own-facts.sql.ts';
import { listMeasurements } from './measurements.ts';

type Detail = RecordFact['details'][number];

/** The originals that are kept, by their paths. */
export type Originals = ReadonlyMap<string, DocumentId>;

const MAX_DETAIL_LENGTH = 2_000;

export interface FactContext {
  originals: Originals;
  ends: ReadonlyMap<string, DrugEnd>;
  today: string;
}

/** How an entry stands for the page; `maxText` is how much of its words is shown. */
export function toFactDto(found: Fact, { originals, ends, today }: FactContext, maxText: number): RecordFact {
  const pressures = pairHalves(found.halves ?? []);
  const [pressure] = pressures;
  const fact = pressures.length === 1 ? ({ ...found, ...toWhole(pressure) } as Fact) : found;
  const text = getText(fact);
  const details = listDetails(fact, today);
  return {
    id: `${fact.seq}.${fact.ordinal}`,
    reference: fact.reference,
    kind: fact.kind,
    category: fact.category,
    title: fact.title,
    day: fact.dayText,
    time: fact.time,
    end: fact.endText,
    status: isOver(fact, today) || isToCome(fact, today) ? null : getStatus(fact),
    isCurrent: fact.current,
    endedBy: toEndedBy(fact, ends),
    begins: isToCome(fact, today) ? getStart(fact) : null,
    next: isToCome(fact, today) ? null : toNext(fact),
    isNotDone: fact.kind === 'immunization' && fact.detail.notDone,
    measurements: pressures.length > 1 ? pressures.flatMap(listNamed) : listMeasurements(fact),
    laterWithoutValue: fact.since ? { day: fact.since.dayText, reason: fact.since.absent } : null,
    details,
    text: text === null ? null : text.slice(0, maxText),
    isCut: text !== null && (text.length > maxText || (fact.textLength ?? 0) > text.length),
    source: toSource(fact, originals),
    elsewhere: (fact.matches ?? []).map((match) => toElsewhere(match, originals, details)),
    times: fact.times,
    firstDay: fact.firstDay,
    lastDay: fact.lastDay,
  };
}

const toWhole = (pressure: PressureHalf | undefined) =>
  pressure && { title: pressure.title, detail: pressure.detail };

/** Pressures of one moment that nobody knows to belong together, each by its name. */
const listNamed = (pressure: PressureHalf): RecordFact['measurements'] =>
  listMeasurements({ kind: 'vital', detail: pressure.detail }).map((each) => ({
    ...each,
    name: each.name ?? pressure.title,
  }));

/** A course that ended by its own dates, which stand beside it, is not active. */
const isOver = ({ kind, current, endText }: Fact, today: string): boolean =>
  kind === 'medication' && current && endText !== null && endText < today.slice(0, endText.length);

/** A course that is to begin is no current one: the page says from which day on. */
const isToCome = (fact: Fact, today: string): fact is Fact & { kind: 'medication' } =>
  fact.kind === 'medication' && fact.current && isNotBegun(fact, today);

/** What follows with the same dosage does not repeat it. */
const toNext = ({ kind, next, detail }: Fact): RecordFact['next'] => {
  if (kind !== 'medication' || !next) return null;
  const { dosage } = detail;
  return next.dosage === dosage ? { ...next, dosage: null } : next;
};

function toEndedBy({ kind, current, groupKey }: Fact, ends: FactContext['ends']): RecordFact['endedBy'] {
  const end = kind === 'medication' && current ? ends.get(groupKey) : undefined;
  if (end?.order !== 'later') return null;
  const { status, dayText, endText, statusReason } = end.ending;
  return { status, day: endText ?? dayText, reason: statusReason };
}

const getText = (entry: Entry): string | null =>
  entry.kind === 'note' || isRecordEntry(entry) ? entry.detail.text : null;

/**
 * Of a problem and of an allergy whether it is so and active; `status` of the resource is another one. Of a drug that is
 * only proposed or planned, that.
 */
function getStatus({
  kind,
  status,
  current,
  detail,
}: Pick<Entry, 'kind' | 'status' | 'current' | 'detail'>): string | null {
  if (kind === 'condition' || kind === 'allergy') {
    const { clinicalStatus, verification, none } = detail as Details['condition' | 'allergy'];
    if (verification === 'refuted') return verification;
    // "No known allergies" is not active.
    return none && clinicalStatus === 'active' ? null : clinicalStatus;
  }
  const { intent = null } = detail as Partial<Details['medication']>;
  const isProposed = kind === 'medication' && !current && UNORDERED.has(intent);
  return isProposed && (status === null || status === 'active') ? intent : status;
}

/** Intents of what nobody prescribed yet. */
const UNORDERED = new Set<string | null>(['proposal', 'plan', 'option']);

function toSource(
  { organization, documentPath }: Pick<StoredEntry, 'organization' | 'documentPath'>,
  originals: Originals,
): RecordFact['source'] {
  return { organization, path: documentPath, documentId: originals.get(documentPath) ?? null };
}

const toElsewhere = (
  match: MatchedEntry,
  originals: Originals,
  said: readonly Detail[],
): RecordFact['elsewhere'][number] => ({
  ...toSource(match, originals),
  reference: match.reference,
  isSame: match.link === 'same',
  title: match.title,
  day: match.dayText,
  // Two sources may differ in it alone.
  end: match.link === 'differs' ? match.endText : null,
  status: match.link === 'differs' ? getStatus(match) : match.status,
  measurements: match.link === 'differs' ? listMeasurements(match) : [],
  // What the fact says as well need not be said again.
  details:
    match.link === 'differs'
      ? sortDetails(listOwnDetails(match.detail)).filter((own) => !said.some((each) => isEqual(each, own)))
      : [],
});

const NAMES: ReadonlySet<string> = new Set(FACT_DETAILS);

/** Whatever the entry says in words, and what other resources say of it, in the contract's order. */
function listDetails(entry: Fact, today: string): Detail[] {
  const begins = isToCome(entry, today) ? { begins: getStart(entry) } : {};
  const own = listOwnDetails({ ...entry.detail, ...begins });
  const others = (entry.context ?? []).flatMap(({ role, title, doubt, text }) =>
    toDetail(
      role === 'diagnosis' ? 'diagnoses' : role,
      role === 'order' ? (text ?? title) : [title, doubt, text].filter(Boolean).join(': '),
    ),
  );
  return sortDetails([...own, ...others.filter((other) => !own.some((each) => isSaidBy(other, each)))]);
}

const listOwnDetails = (detail: object): Detail[] =>
  Object.entries(detail).flatMap(([name, value]) => toDetail(name, value));

const sortDetails = (details: readonly Detail[]): Detail[] =>
  FACT_DETAILS.flatMap((name) => details.filter((each) => each.name === name));

const isEqual = (one: Detail, other: Detail): boolean => one.name === other.name && one.text === other.text;

const isSaidBy = (one: Detail, other: Detail): boolean =>
  other.text.toLowerCase().includes(one.text.toLowerCase());

function toDetail(name: string, value: unknown): Detail[] {
  if (!NAMES.has(name)) return [];
  const text = Array.isArray(value)
    ? value.filter((each) => typeof each === 'string').join('; ')
    : typeof value === 'string'
      ? value
      : '';
  // What is confirmed, as nearly all is, need not be said.
  if (text === '' || (name === 'verification' && text === 'confirmed')) return [];
  return [{ name: name as Detail['name'], text: text.slice(0, MAX_DETAIL_LENGTH) }];
}
