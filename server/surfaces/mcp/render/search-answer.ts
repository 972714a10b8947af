import type { ConsentedAccess, RecordQueries } from '../../../consent/access/record-access.ts';
import {
  findGroups,
  findHoldings,
  type EntryGroup,
  type Holding,
} from '../../../clinical/queries/summary.sql.ts';
import { listEndedDrugs } from '../../../clinical/queries/drug-ends.ts';
import { findDrugStatements } from '../../../clinical/queries/drug-ends.sql.ts';
import { asksForAllergies } from '../../../clinical/search/asked-ids.ts';
import type { Question } from '../../../clinical/search/question.ts';
import { searchPassages, type SearchResult } from '../../../clinical/search/search.sql.ts';
import type { Search } from '../../../clinical/search/search-scope.sql.ts';
import type { ToolDeps } from '../tool.ts';
import { readForAnswer, type AnswerRead } from './read-answer.ts';

export interface SearchAnswer extends Pick<
  AnswerRead<RecordQueries>,
  'consentRecordId' | 'withheld' | 'notice'
> {
  /** As it was answered. */
  search: Search;
  result: SearchResult;
  holdings: readonly Holding[];
  /** Those in force, and statements such as "No known allergies", where the question is about one that was not found. */
  allergies: readonly EntryGroup<'allergy'>[];
}

/** Asks the record; where it holds nothing, asks it what else the question may mean. */
export async function findAnswer(
  deps: ToolDeps,
  access: ConsentedAccess,
  search: Search,
): Promise<SearchAnswer> {
  const asked =
    search.question.subset === 'stopped'
      ? { ...search, endedDrugs: await findEndedDrugs(deps, access, search) }
      : search;
  const answer = await ask(deps, access, asked);
  if (answer.result.hits.length > 0 || !saysWhat(search.question)) return answer;
  for (const { question, isAnswer } of listOtherReadings(search.question)) {
    const other = await ask(deps, access, { ...asked, question });
    if (isAnswer(other.result)) return other;
  }
  return answer;
}

async function findEndedDrugs(
  deps: ToolDeps,
  access: ConsentedAccess,
  { today }: Search,
): Promise<readonly string[]> {
  const { rows } = await readForAnswer(deps, access, { statements: findDrugStatements(access, today) });
  return listEndedDrugs(rows.statements);
}

async function ask(deps: ToolDeps, access: ConsentedAccess, search: Search): Promise<SearchAnswer> {
  const { question, kinds } = search;
  const isOfAllergies = asksForAllergies(question) && (kinds === null || kinds.includes('allergy'));
  const { rows, ...read } = await readForAnswer(deps, access, {
    found: searchPassages(access, search),
    holdings: findHoldings(access),
    allergies: isOfAllergies ? findGroups(access, 'allergy') : null,
  });
  const result = rows.found[0] ?? NOTHING;
  const isFound = result.hits.some(({ entry }) => entry.kind === 'allergy');
  const allergies = isFound ? [] : rows.allergies.filter(({ current, detail }) => current || detail.none);
  return { search, result, holdings: rows.holdings, allergies, ...read };
}

const NOTHING: SearchResult = {
  words: [],
  foundConcepts: [],
  impliedConcepts: [],
  negations: [],
  eventDay: null,
  hasPeriod: true,
  hits: [],
};

interface OtherReading {
  question: Question;
  isAnswer(result: SearchResult): boolean;
}

/** What else the words of a question allow: who is a relative may be the patient, and a year be part of a name. */
function listOtherReadings(question: Question): OtherReading[] {
  const { people, window, words } = question;
  const ofPatient: Question = { ...question, people: 'patient' };
  const named: Question = {
    ...question,
    window: null,
    // It was read without the year.
    title: null,
    words: [...words, { text: window?.phrase ?? '', weight: 1 }],
  };
  return [
    ...(people === 'relative' ? [{ question: ofPatient, isAnswer: () => true }] : []),
    ...(window !== null && YEAR.test(window.phrase)
      ? [{ question: named, isAnswer: ({ hits }: SearchResult) => hits.some(({ tiers }) => tiers.isWhole) }]
      : []),
  ];
}

/** Whether a question names something, besides somebody and kinds of entries. */
const saysWhat = ({ concepts, words }: Question): boolean => concepts.length + words.length > 0;

/** "2019" by itself, as in the name of a method; not "in 2019". */
const YEAR = /^\d{4}$/;
