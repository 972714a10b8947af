import type { GradedQuery } from './graded-queries.ts';
import { matchesGroup, type Traits } from './relevance.ts';

/** How well an answer does; the README beside says how it is counted. */
export interface Score {
  ndcg: number;
  recall: number;
  /** Only of a query that nothing answers: whether anything was shown. */
  isFalse: boolean | null;
}

const MAX_RANKED = 10;
const MAX_ROWS = 20;

/** Scores the rows of an answer, best first: of each the resources that it shows. */
export function scoreAnswer(query: GradedQuery, rows: readonly (readonly Traits[])[]): Score {
  if (query.nothing) return { ndcg: Number.NaN, recall: Number.NaN, isFalse: rows.length > 0 };
  const credited = creditRows(query, rows.slice(0, MAX_ROWS));
  const ideal = query.relevant.map(({ grade }) => toGain(grade)).sort((one, other) => other - one);
  const wanted = query.relevant.filter(({ grade }) => grade >= 2).length;
  const found = credited.filter((group) => group !== null && group.grade >= 2).length;
  return {
    ndcg: sumGains(credited.map((group) => (group === null ? 0 : toGain(group.grade)))) / sumGains(ideal),
    recall: wanted === 0 ? Number.NaN : found / Math.min(MAX_ROWS, wanted),
    isFalse: null,
  };
}

/** Credits each row with the best group that it matches and that no row above has been credited with. */
function creditRows(
  { relevant }: GradedQuery,
  rows: readonly (readonly Traits[])[],
): (GradedQuery['relevant'][number] | null)[] {
  const left = new Set(relevant.toSorted((one, other) => other.grade - one.grade));
  return rows.map((row) => {
    const group = [...left].find(({ match }) => row.some((traits) => matchesGroup(traits, match))) ?? null;
    if (group !== null) left.delete(group);
    return group;
  });
}

const toGain = (grade: number): number => 2 ** grade - 1;

const sumGains = (gains: readonly number[]): number =>
  gains.slice(0, MAX_RANKED).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);

export interface Summary {
  kind: string;
  queries: number;
  ndcg: number;
  recall: number;
  /** Of the queries that nothing answers, the share that was answered. */
  falseShare: number;
}

/** Means by kind of query, and of all. */
export function summarize(scores: readonly { query: GradedQuery; score: Score }[]): Summary[] {
  const groups = [['all', scores] as const, ...Map.groupBy(scores, ({ query }) => query.kind)];
  return groups.map(([kind, group]) => ({
    kind,
    queries: group.length,
    ndcg: findMean(group.map(({ score }) => score.ndcg)),
    recall: findMean(group.map(({ score }) => score.recall)),
    falseShare: findMean(group.flatMap(({ score }) => (score.isFalse === null ? [] : Number(score.isFalse)))),
  }));
}

function findMean(numbers: readonly number[]): number {
  const known = numbers.filter((number) => !Number.isNaN(number));
  return known.length === 0 ? Number.NaN : known.reduce((sum, number) => sum + number, 0) / known.length;
}
