import { toMention } from '../../../clinical/concepts/annotate.ts';
import { splitWords } from '../../../clinical/concepts/split-words.ts';
import type { Cluster } from '../../../clinical/search/cluster-hits.ts';
import { isDated, isOfTime } from '../../../clinical/search/rank-hits.ts';
import type { AskedConcept, AskedSubset, AskedWindow, Question } from '../../../clinical/search/question.ts';
import type { Negation, SearchResult } from '../../../clinical/search/search.sql.ts';
import { escapeInline } from './escape-markdown.ts';

/** More meanings of one phrase are not named. */
const MAX_MEANINGS = 4;

const PEOPLE: Readonly<Record<NonNullable<Question['people']>, string>> = {
  family: 'of relatives',
  relative: 'of relatives',
  patient: 'of the patient, since nothing of it is said of relatives',
};

const SUBSETS: Readonly<Record<AskedSubset, string>> = {
  abnormal: 'results that are flagged as not normal',
  stopped: 'medications that are not taken any more',
  'to-avoid': 'allergies, and orders not to give a drug',
};

/** Says how a question was read, where that differs from its words; null where it does not. */
export function renderReading(question: Question, result: SearchResult): string | null {
  const { concepts, subset, extreme, window, anchor, order, people } = question;
  const parts = [
    ...concepts.map(renderConcept),
    ...result.words
      .filter(({ written, readAs }) => written !== readAs)
      .map(({ written, readAs }) => renderArrow(written, [readAs])),
    subset === null ? null : SUBSETS[subset],
    extreme === null ? null : `${extreme} value`,
    window === null ? null : renderWindow(window, result.hasPeriod),
    anchor === null
      ? null
      : renderArrow(`${anchor.side} ${anchor.phrase}`, [
          result.eventDay === null
            ? 'no such event is dated, so all times'
            : `${anchor.side} ${result.eventDay}`,
        ]),
    order === null ? null : `${order} first`,
    people === null ? null : PEOPLE[people],
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `Read as: ${parts.join('; ')}`;
}

function renderConcept({ phrase, readAs, isDenied = false }: AskedConcept): string | null {
  const names = readAs.map(({ name }) => name);
  if (isDenied) return `${renderArrow(phrase, names)}, where it is denied first`;
  return names.length === 1 && isSameName(phrase, names[0] ?? '') ? null : renderArrow(phrase, names);
}

/** "Heart-attack" and "heart attacks" are one name. */
const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other);
const foldName = (name: string): string =>
  splitWords(name)
    .map(({ folded }) => folded)
    .join(' ');

function renderArrow(written: string, meanings: readonly string[]): string {
  const shown = meanings.slice(0, MAX_MEANINGS).map((meaning) => escapeInline(meaning, 80));
  return `${escapeInline(written, 80)} → ${shown.join(', ')}${meanings.length > MAX_MEANINGS ? ' and others' : ''}`;
}

const renderWindow = (window: AskedWindow, hasPeriod: boolean): string =>
  renderArrow(window.phrase, [
    hasPeriod ? renderDays(window) : `${renderDays(window)}, of which the record holds nothing, so all times`,
  ]);

export function renderDays({ from, to }: Pick<AskedWindow, 'from' | 'to'>): string {
  if (from !== null && to !== null) return `${from} to ${to}`;
  return from === null ? `until ${to}` : `since ${from}`;
}

/**
 * Says that nothing is what was asked for, so that nobody takes the test of an illness for the illness, nor the vaccine against
 * it for protection that is not recorded, or for none.
 */
export function renderOnlyRelated(
  { concepts, window }: Question,
  { hasPeriod }: Pick<SearchResult, 'hasPeriod'>,
  shown: readonly Pick<Cluster, 'hit'>[],
): string {
  const names = concepts.map(({ phrase }) => `“${escapeInline(phrase, 80)}”`).join(', ');
  const vaccines = shown.filter(({ hit }) => hit.entry.kind === 'immunization').length;
  const related =
    vaccines === shown.length
      ? 'what is recorded is vaccination against it'
      : `these are related (tests, treatments, findings${vaccines > 0 ? ', vaccination against it' : ''})`;
  const time = window !== null && hasPeriod ? ` (${renderDays(window)})` : '';
  return `No entry is of ${names} itself${time}; ${related}, and ${vaccines === shown.length ? 'does' : 'do'} not say that it is so.`;
}

/** Says of results without a date that they may not be of the time that is asked for. */
export function renderUndated(
  question: Question,
  { hasPeriod }: SearchResult,
  shown: readonly Pick<Cluster, 'hit'>[],
): string | null {
  const undated = isOfTime(question) && hasPeriod ? shown.filter(({ hit }) => !isDated(hit)).length : 0;
  if (undated === 0) return null;
  return undated === shown.length
    ? 'Nothing with a date of this time was found; what is listed has no date, and may be of another time.'
    : 'What has no date comes last, and may be of another time.';
}

/** Says that no result answers the whole question, and which of its concepts none answers. */
export function renderPartial({ concepts }: Question, { foundConcepts }: SearchResult): string {
  const left = concepts.flatMap(({ phrase }, index) =>
    foundConcepts.includes(index + 1) ? [] : `“${escapeInline(phrase, 80)}”`,
  );
  return left.length === 0
    ? 'No single entry answers all of this; these answer some of it.'
    : `Without a result: ${left.join(', ')}. These answer the rest.`;
}

/** Lists the concepts that no text says and one names beside a negation, where no time is asked for. */
export const listNegated = (
  { concepts, window }: Pick<Question, 'concepts' | 'window'>,
  { negations }: Pick<SearchResult, 'negations'>,
): readonly (Negation & { concept: AskedConcept })[] =>
  window !== null
    ? []
    : negations.flatMap((negation) => {
        const concept = concepts[negation.n - 1];
        return concept === undefined ? [] : [{ ...negation, concept }];
      });

/**
 * Says what texts name beside a negation, and how to read them: "no hematuria" lists these. Whether they deny it is not said:
 * "Cannot rule out pneumonia" and "No reason for the hematuria was found" do not.
 */
export function renderNegated(
  negated: readonly { concept: AskedConcept; mentions: readonly number[] }[],
  readQuestion: (query: string) => Pick<Question, 'concepts'>,
): string | null {
  if (negated.length === 0) return null;
  const names = negated.map(({ concept }) => quote(concept.phrase)).join(', ');
  const queries = negated.flatMap((each) => listNegatedQueries(each, readQuestion)).map(quote);
  const how = queries.length === 0 ? '' : `: search for ${queries.join(', ')} to read where`;
  return `${names}: named in this record beside words such as “no” or “rule out”, which may or may not deny it${how}.`;
}

const quote = (text: string): string => `“${escapeInline(text, 80)}”`;

/** Queries for the texts, in words that are read as the negation of the concept: "no peeing blood" is no peeing. */
function listNegatedQueries(
  { concept: { phrase, readAs }, mentions }: { concept: AskedConcept; mentions: readonly number[] },
  readQuestion: (query: string) => Pick<Question, 'concepts'>,
): string[] {
  const isRead = (query: string): boolean => {
    const { concepts } = readQuestion(query);
    return (
      concepts.length === 1 &&
      concepts.every((each) => each.isDenied === true && each.readAs.some(({ id }) => ids.has(id)))
    );
  };
  const negated = readAs.filter(({ id }) => mentions.includes(toMention(id, 'negated')));
  const ids = new Set(negated.map(({ id }) => id));
  const own = `no ${phrase}`;
  return isRead(own) ? [own] : negated.map(({ name }) => `no ${name}`).filter(isRead);
}
