import { isDenied } from '../entries/denied.ts';
import type { ConceptKind } from '../concepts/concept.ts';
import { VACCINE_NOT_GIVEN } from '../concepts/refused-vaccines.ts';
import type { Kind } from '../entries/entry.ts';
import { asksForDrugs } from './asked-ids.ts';
import type { Question } from './question.ts';
import type { Hit, SearchResult } from './search.sql.ts';

/** The constant of reciprocal rank fusion (Cormack et al. 2009), by which the first ranks do not decide alone. */
const K = 20;

/** A value of a hit by which an order is made, the largest first; null: the hit does not stand in this order. */
interface Order {
  weight: number;
  getValue(hit: Hit): number | null;
}

/** The kinds of entries that state a concept, rather than mention it. */
const STATING_KINDS: Readonly<Record<ConceptKind, readonly Kind[]>> = {
  conditions: ['condition'],
  symptoms: ['condition'],
  'body-parts': ['condition', 'procedure', 'imaging'],
  drugs: ['medication', 'allergy'],
  'drug-classes': ['medication', 'allergy'],
  tests: ['lab', 'vital', 'survey'],
  vaccines: ['immunization'],
  procedures: ['procedure', 'imaging', 'order'],
  devices: ['device', 'procedure'],
  'social-history': ['social_history', 'condition'],
  'family-history': ['family_history'],
  'care-planning': ['goal', 'care_plan', 'document', 'care_team'],
  insurance: ['coverage'],
  visits: ['visit', 'care_team'],
};

const nullIfZero = (value: number): number | null => (value > 0 ? value : null);

/** The kinds that are asked for by name, else those that state what is asked for. */
const listWantedKinds = ({ kinds, concepts }: Question): ReadonlySet<Kind> => {
  const asked = kinds.filter(({ weight }) => weight >= 0.5).map(({ kind }) => kind);
  return new Set(
    asked.length > 0
      ? asked
      : concepts.flatMap(({ readAs }) => readAs.flatMap(({ kind }) => STATING_KINDS[kind])),
  );
};

/** What was in force at a time counts as of it, but what began then is what happened. */
const beganWithin = ({ window }: Question, day: string | null): boolean =>
  window !== null &&
  day !== null &&
  (window.from === null || day >= window.from) &&
  (window.to === null || day <= window.to);

/** Of what is not to be taken: an order, or an allergy that is not of food or of what is around. */
const isOfDrug = ({ entry }: Hit): number | null =>
  entry.kind === 'medication' ||
  (entry.kind === 'allergy' &&
    (entry.detail.categories.length === 0 || entry.detail.categories.includes('medication')))
    ? 1
    : null;

/** "Alergia al polen" is hay fever too, but first the allergy. */
const namesAllergy = ({ concepts }: Question): boolean => concepts.some(({ phrase }) => ALLERGY.test(phrase));
const ALLERGY =
  /(?<!\p{L})(?:allerg(?:y|ies|ic to)|al[eé]rgias?|al[eé]rgic[oa]s? al?|allergien?|allergisch gegen)(?!\p{L})|\p{L}allergien?(?!\p{L})/iu;

/** "Did she refuse a vaccine": what was not given answers first. */
const asksForRefused = ({ concepts }: Question): boolean =>
  concepts.some(({ readAs }) => readAs.some(({ id }) => id === VACCINE_NOT_GIVEN));

/** docs/search.md has what each order is worth. */
function listOrders(question: Question): Order[] {
  const stating = new Set(
    question.concepts.flatMap(({ readAs }) => readAs.flatMap(({ kind }) => STATING_KINDS[kind])),
  );
  return [
    { weight: 1, getValue: ({ tiers }) => (tiers.hasEveryWord ? tiers.words : null) },
    { weight: 2, getValue: ({ tiers }) => nullIfZero(tiers.equal) },
    { weight: 1.6, getValue: ({ tiers }) => nullIfZero(tiers.narrower) },
    { weight: 0.8, getValue: ({ tiers }) => nullIfZero(tiers.related) },
    { weight: 0.6, getValue: ({ tiers }) => nullIfZero(tiers.words) },
    { weight: 1, getValue: ({ tiers }) => nullIfZero(tiers.met) },
    { weight: 0.5, getValue: ({ tiers }) => tiers.likeness },
    { weight: 0.3, getValue: ({ tiers }) => tiers.closeness },
    { weight: 1.6, getValue: ({ entry }) => (stating.has(entry.kind) ? 1 : null) },
    asksForRefused(question)
      ? { weight: 4, getValue: ({ entry }) => (isDenied(entry) ? 1 : null) }
      : { weight: 1.6, getValue: ({ entry }) => (isDenied(entry) ? null : 1) },
    { weight: 4, getValue: ({ tiers }) => (tiers.isDisputed ? null : 1) },
    { weight: 0.3, getValue: ({ isCurrent }) => (isCurrent ? 1 : null) },
    { weight: 1, getValue: ({ lastDay }) => (beganWithin(question, lastDay) ? 1 : null) },
    ...(namesAllergy(question)
      ? [{ weight: 4, getValue: ({ entry }: Hit) => (entry.kind === 'allergy' ? 1 : null) }]
      : []),
    ...(question.subset === 'to-avoid' ? [{ weight: 4, getValue: isOfDrug }] : []),
    ...question.kinds.map(({ kind, weight }): Order => ({
      weight: 4 * weight,
      getValue: ({ entry }) => (entry.kind === kind ? 1 : null),
    })),
  ];
}

/** Whether nothing that is asked for was found, and only what is related to it: its tests, what treats it, what an organ has. */
export const isOnlyRelated = (
  { hits, foundConcepts, impliedConcepts }: Pick<SearchResult, 'hits' | 'foundConcepts' | 'impliedConcepts'>,
  { concepts, kinds }: Question,
): boolean =>
  hits.length > 0 &&
  concepts.length > 0 &&
  !asksForDrugs(kinds) &&
  (concepts.length === impliedConcepts.length ||
    hits.every(
      ({ tiers: { words, equal, narrower } }) =>
        equal + narrower === 0 && (words === 0 || foundConcepts.length === 0),
    ));

/** Orders hits: by all orders together, or by time among those that answer as well as the best where that is asked for. */
export function rankHits(hits: readonly Hit[], question: Question): Hit[] {
  const scores = new Map<Hit, number>(hits.map((hit) => [hit, 0]));
  for (const { weight, getValue } of listOrders(question))
    for (const [hit, rank] of rankBy(hits, getValue))
      scores.set(hit, (scores.get(hit) ?? 0) + weight / (K + rank));
  const byScore = hits.toSorted(
    (one, other) =>
      (scores.get(other) ?? 0) - (scores.get(one) ?? 0) ||
      (other.lastDay ?? '').localeCompare(one.lastDay ?? '') ||
      one.entry.seq - other.entry.seq,
  );
  const ordered = question.order === null ? byScore : orderByTime(byScore, question);
  return isOfTime(question)
    ? [...ordered.filter(isDated), ...ordered.filter((hit) => !isDated(hit))]
    : ordered;
}

/** Whether only what lies at some time answers: then what has no date comes last. */
export const isOfTime = ({ window, anchor }: Question): boolean => window !== null || anchor !== null;

export const isDated = ({ lastDay }: Pick<Hit, 'lastDay'>): boolean => lastDay !== null;

/** Ranks from 1; equal values share one. */
function rankBy(hits: readonly Hit[], getValue: Order['getValue']): [Hit, number][] {
  const valued = hits.flatMap((hit) => {
    const value = getValue(hit);
    return value === null ? [] : [{ hit, value }];
  });
  valued.sort((one, other) => other.value - one.value);
  let rank = 0;
  return valued.map(({ hit, value }, index) => {
    if (index === 0 || valued[index - 1]?.value !== value) rank = index + 1;
    return [hit, rank];
  });
}

/** Those that meet nearly as much as the best come first, in the order of their days. */
function orderByTime(hits: readonly Hit[], question: Question): Hit[] {
  const { order } = question;
  const best = Math.max(0, ...hits.map(({ tiers }) => tiers.met));
  const kinds = listWantedKinds(question);
  const meant = hits.filter(({ tiers }) => tiers.met >= 0.9 * best && tiers.met > 0);
  // "Hemoglobin A1c" has the word, and is no hemoglobin.
  const named = meant.filter(({ tiers }) => tiers.equal + tiers.narrower > 0);
  const all = named.length > 0 ? named : meant;
  const stated = all.filter(({ entry }) => kinds.has(entry.kind));
  const answers = stated.length > 0 ? stated : all;
  const getDay = ({ firstDay, lastDay }: Hit): string | null => (order === 'newest' ? lastDay : firstDay);
  const sign = order === 'newest' ? -1 : 1;
  const dated = answers
    .filter((hit) => getDay(hit) !== null)
    .toSorted((one, other) => sign * (getDay(one) ?? '').localeCompare(getDay(other) ?? ''));
  const first = new Set(dated);
  return [...dated, ...hits.filter((hit) => !first.has(hit))];
}
