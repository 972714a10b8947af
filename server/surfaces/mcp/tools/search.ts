import { z } from 'zod';
import type { DataMask } from '../../../../contract/brands.ts';
import type { Entry } from '../../../clinical/entries/entry.ts';
import { isRecordEntry, OTHER_KINDS, type RecordKind } from '../../../clinical/entries/other-kinds.ts';
import { asksForKinds } from '../../../clinical/search/asked-items.sql.ts';
import { clusterHits, type Cluster } from '../../../clinical/search/cluster-hits.ts';
import type { Question } from '../../../clinical/search/question.ts';
import { isOnlyRelated, rankHits } from '../../../clinical/search/rank-hits.ts';
import { MAX_HITS, type SearchResult } from '../../../clinical/search/search.sql.ts';
import type { Search } from '../../../clinical/search/search-scope.sql.ts';
import { renderDisagreements } from '../render/disagreement.ts';
import { buildDisclosure } from '../render/disclosure.ts';
import { renderAnswer } from '../render/answer-text.ts';
import { buildFactTable, join, type Block, type Fact } from '../render/markdown.ts';
import { formatBeginning } from '../render/medications.ts';
import { formatName } from '../render/name-text.ts';
import { formatSince } from '../render/observation-status.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { formatType } from '../render/other-records.ts';
import { renderAllergiesInForce } from '../render/search-allergies.ts';
import { findAnswer } from '../render/search-answer.ts';
import { renderFoundContent, type AskedWords } from '../render/search-content.ts';
import { renderExtremes } from '../render/search-extremes.ts';
import { renderNothing } from '../render/search-nothing.ts';
import {
  listNegated,
  renderNegated,
  renderOnlyRelated,
  renderPartial,
  renderReading,
  renderUndated,
} from '../render/search-reading.ts';
import { renderOtherSide } from '../render/search-side.ts';
import { renderShowAll } from '../render/search-show-all.ts';
import { NO_WORDS, renderUnmatched } from '../render/search-words.ts';
import { defineTool } from '../tool.ts';
import { renderWithheldNote } from '../render/withheld-text.ts';
import { findLastDay, formatPeriod, formatSpan } from '../render/date-text.ts';

const MAX_RESULTS = 20;

const KINDS = [
  ...([
    'condition',
    'medication',
    'lab',
    'vital',
    'allergy',
    'procedure',
    'immunization',
    'visit',
    'note',
  ] as const),
  ...OTHER_KINDS,
];
const KINDS_FAULT = `must be a list of these kinds: ${KINDS.join(', ')}`;

export const QUERY_FAULT = 'must be a text of 1 to 1000 characters';

export const search = defineTool({
  name: 'search',
  title: 'Search the record',
  description:
    'Searches all kinds of entries by meaning, best first: lay words, abbreviations, brands and drug classes in English, Spanish, German; times ("in 2019", "last"). "Quoted words" are a phrase, -word excludes.',
  input: z.strictObject({
    query: z
      .string(QUERY_FAULT)
      .max(1000, QUERY_FAULT)
      .refine((query) => query.trim() !== '', QUERY_FAULT)
      .describe('What is asked for: a condition, a drug, a test.'),
    kinds: z.array(z.enum(KINDS, KINDS_FAULT), KINDS_FAULT).optional().describe('Only these kinds.'),
  }),
  async run(deps, access, { query, kinds = [] }) {
    const today = deps.clock.now().toISOString().slice(0, 10);
    const { search, result, holdings, allergies, consentRecordId, withheld, notice } = await findAnswer(
      deps,
      access,
      {
        question: deps.readQuestion(query, today),
        kinds: kinds.length > 0 ? kinds : null,
        today,
        vector: await deps.embedQuestion(query),
      },
    );
    const clusters = clusterHits(rankHits(result.hits, search.question), search.question);
    const shown = clusters.slice(0, MAX_RESULTS);
    const reading = renderReading(search.question, result);
    const negated = listNegated(search.question, result);
    const negation = renderNegated(negated, (each) => deps.readQuestion(each, today));
    return {
      text: renderAnswer(
        [
          `# Search: ${escapeInline(query, 120)}${reading === null ? '' : ` · ${reading}`}`,
          notice,
          shown.length > 0
            ? renderFound(shown, { query, search, result, negation, withheld, today })
            : isEmptyQuestion(search.question, result)
              ? NO_WORDS
              : renderNothing(search, holdings, withheld),
          shown.length > 0 ? null : negation,
          renderAllergiesInForce(allergies),
        ],
        renderDisagreements(shown.map(({ hit }) => hit.entry)),
        renderCount(shown.length, clusters.length, result.hits.length === MAX_HITS),
        renderWithheldNote(withheld),
      ),
      consentRecordId,
      audit: buildDisclosure([
        ...shown.map(({ hit, firstDay, lastDay }) => ({ ...hit.entry, firstDay, lastDay })),
        ...allergies,
        ...negated.map(({ entry }) => entry),
      ]),
    };
  },
});

const isEmptyQuestion = (question: Question, { words }: SearchResult): boolean =>
  words.length === 0 && question.concepts.length === 0 && !asksForKinds(question);

interface Found {
  query: string;
  search: Search;
  result: SearchResult;
  negation: string | null;
  withheld: DataMask;
  today: string;
}

const renderFound = (
  shown: readonly Cluster[],
  { query, search: { question }, result, negation, withheld, today }: Found,
): Block => [
  renderUnmatched(listWritten(question, result), withheld),
  renderExtremes(question, shown),
  renderCompleteness(shown, { question, result }),
  negation,
  renderOtherSide(query, shown),
  renderUndated(question, result, shown),
  renderResultTable(shown, { words: listWords(question, result), today }),
  renderShowAll(shown),
];

function renderCompleteness(
  shown: readonly Cluster[],
  { question, result }: { question: Question; result: SearchResult },
): string | null {
  if (isOnlyRelated(result, question)) return renderOnlyRelated(question, result, shown);
  return shown.some(({ hit }) => hit.tiers.isWhole) ? null : renderPartial(question, result);
}

/** What texts may contain: a code is of an entry. */
const listWritten = ({ words }: Question, result: SearchResult): SearchResult['words'] =>
  result.words.filter(({ written }) => !words.some(({ text, isCode }) => isCode && text === written));

const listWords = ({ concepts }: Question, { words }: SearchResult): string[] => [
  ...concepts.flatMap(({ phrase, spelled, readAs }) => [
    spelled ?? phrase,
    ...readAs.map(({ name }) => name),
  ]),
  ...words.map(({ readAs }) => readAs),
];

function renderCount(shown: number, all: number, hasMore: boolean): string | null {
  if (shown === 0) return null;
  if (shown === all && !hasMore) return all === 1 ? '1 result' : `${all} results`;
  return `The best ${shown} of ${hasMore ? 'more than ' : ''}${all} results; more specific words narrow them down.`;
}

function renderResultTable(clusters: readonly Cluster[], asked: AskedWords): Block {
  const toFact = (cluster: Cluster): Fact => ({
    cells: [
      formatKind(cluster.hit.entry),
      formatName(cluster.hit.entry.title, 200),
      formatPeriod(cluster.hit.entry),
      join([
        renderFoundContent(cluster.hit, asked),
        formatSince(cluster.since),
        formatToCome(cluster, asked.today),
      ]),
      formatSimilar(cluster),
    ],
    entries: [cluster.hit.entry],
  });
  return buildFactTable(['Type', 'Title', 'Date', 'Content', 'Similar'], clusters.map(toFact));
}

/** "the next from 2026-12-15: 2 tab twice daily", beside what is taken now. */
function formatToCome({ hit: { entry }, toCome }: Cluster, today: string): string {
  if (entry.kind !== 'medication' || formatBeginning(entry, today) !== null) return '';
  return join(
    toCome.map(({ day, dosage }) =>
      join([`the next from ${day}`, dosage !== entry.detail.dosage && escapeInline(dosage, 200)], ': '),
    ),
  );
}

const TYPE_NAMES: Readonly<Record<Exclude<Entry['kind'], RecordKind>, string>> = {
  condition: 'Condition',
  medication: 'Medication',
  lab: 'Laboratory result',
  vital: 'Vital sign',
  allergy: 'Allergy',
  procedure: 'Procedure',
  immunization: 'Immunization',
  visit: 'Visit',
  note: 'Note',
  social_history: 'Social history',
  survey: 'Survey',
};

const formatKind = (entry: Entry): string =>
  isRecordEntry(entry) ? formatType(entry.detail.type) : TYPE_NAMES[entry.kind];

/** "and 13 more, 2012 to 2020", ", some in force" where the one that is shown is not. */
function formatSimilar({ hit, times, isCurrent, ...spread }: Cluster): string {
  if (times === 1) return '';
  const last = findLastDay(spread);
  const span = formatSpan(spread.firstDay?.slice(0, 4) ?? null, last?.slice(0, 4) ?? null);
  return `and ${times - 1} more, ${span}${isCurrent && !hit.entry.current ? ', some in force' : ''}`;
}
