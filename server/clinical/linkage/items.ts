import { buildStatement } from './build-statement.ts';
import { iterateInTurns } from './iterate-in-turns.ts';
import { collectNames, groupBySystem } from './names.ts';
import { buildRank, type Rank } from './rank.ts';
import type { ComparedEntry, ComparedRow, Facet, Precision, Statement } from './statement.ts';

/** An entry with what it states, normalized once for all comparisons. */
export interface Item extends Rank {
  statement: Statement;
  names: ReadonlySet<string>;
  codes: ReadonlyMap<string, ReadonlySet<string>>;
  /** By their system, of what they number one by one. */
  identifiers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What is compared: the result of an entry, or one part of a panel's result. */
export interface Assertion {
  item: Item;
  isPart: boolean;
  names: readonly string[];
  facets: readonly Facet[];
  /** How precisely it states its date, then each of its facets. */
  precision: Precision;
}

export async function buildItems(rows: readonly ComparedRow[]): Promise<Item[]> {
  const items: Item[] = [];
  for await (const row of iterateInTurns(rows)) {
    const detail: unknown = row.detail === null ? null : JSON.parse(row.detail);
    items.push(buildItem({ ...row, detail } as ComparedEntry));
  }
  return items;
}

function buildItem(entry: ComparedEntry): Item {
  const statement = buildStatement(entry);
  const names = new Set([...collectNames(entry), ...statement.names]);
  return {
    ...buildRank(entry, statement),
    statement,
    names,
    codes: groupBySystem([...names], 'code'),
    identifiers: isNumbered(entry, statement) ? groupBySystem([...names], 'id') : NO_IDENTIFIERS,
  };
}

const NO_IDENTIFIERS: Item['identifiers'] = new Map();

/** Whether the numbers of a source say which one it is: of visits, and of what has no date. An allergy has none to compare. */
const isNumbered = ({ kind }: ComparedEntry, { when }: Statement): boolean =>
  kind === 'visit' || (when.length === 1 && kind !== 'allergy');

export function listAssertions(item: Item): Assertion[] {
  const { when, parts } = item.statement;
  const toAssertion = (
    isPart: boolean,
    { names, facets }: Pick<Statement, 'names' | 'facets'>,
  ): Assertion => ({
    item,
    isPart,
    names,
    facets,
    precision: [when, ...facets.map(({ steps }) => steps)].map((steps) => steps.length - 1),
  });
  return [toAssertion(false, item.statement), ...parts.map((part) => toAssertion(true, part))];
}
