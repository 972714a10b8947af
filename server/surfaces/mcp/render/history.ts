import type { Kind } from '../../../clinical/entries/entry.ts';
import {
  findGroupsInForce,
  findHistory,
  findOlderDay,
  type EntryFilter,
  type GroupInForce,
  type HistoryEntry,
} from '../../../clinical/queries/clinical.sql.ts';
import { findDrugEnds } from '../../../clinical/queries/drug-ends.ts';
import { findDrugStatements, type DrugStatement } from '../../../clinical/queries/drug-ends.sql.ts';
import {
  findDeceased,
  findHoldings,
  type Demographics,
  type Holding,
} from '../../../clinical/queries/summary.sql.ts';
import type { ConsentedAccess } from '../../../consent/access/record-access.ts';
import { toBasis } from './answer-basis.ts';
import { STALE_YEARS } from './date-text.ts';
import { findDeath } from './death-text.ts';
import { buildDisclosure, listNotShared } from './disclosure.ts';
import { fitToBudget } from './fit-to-budget.ts';
import type { PageSelection } from './page.ts';
import { mergeEntries, renderHistory, type HistoryContext, type PartCount } from './history-text.ts';
import { sumHoldings } from './kind-overview.ts';
import type { HistoryOptions, InForce } from './listing.ts';
import { readForAnswer } from './read-answer.ts';
import type { ToolResult, ToolDeps } from '../tool.ts';
import { shiftWindow, subtractYears, type Window } from './window.ts';

/** Builds the answer of a history tool: selects what the window shows, fits it to one answer, and adds the last line. */
export async function buildHistory<K extends Kind>(
  deps: ToolDeps,
  access: ConsentedAccess,
  options: HistoryOptions<K>,
): Promise<ToolResult> {
  const read = await readHistory(deps, access, options);
  const shifted = shiftWindow(options.window, read.rows.holdings);
  if (shifted === null) return { ...composeHistory(options, read), basis: toBasis(read) };
  const moved = { ...options, window: shifted };
  const again = await readHistory(deps, access, moved);
  return { ...composeHistory(moved, again), basis: toBasis(again, read) };
}

type HistoryRead<K extends Kind> = Awaited<ReturnType<typeof readHistory<K>>>;

const readHistory = <K extends Kind>(
  deps: ToolDeps,
  access: ConsentedAccess,
  { subject, window }: HistoryOptions<K>,
) =>
  readForAnswer(deps, access, {
    entries: findHistory(access, subject, window),
    older: subject.alwaysShown === 'all' ? null : findOlderDay(access, subject, window),
    ...findInForce(access, subject, window),
    holdings: findHoldings(access),
  });

const findInForce = (access: ConsentedAccess, subject: EntryFilter, { today }: Window) => {
  const isAsked = subject.alwaysShown === 'current';
  return {
    groups: isAsked
      ? findGroupsInForce(access, subject.kind, { today, staleBefore: subtractYears(today, STALE_YEARS) })
      : null,
    drugs: subject.kind === 'medication' ? findDrugStatements(access, today) : null,
    people: isAsked ? findDeceased(access) : null,
  };
};

function composeHistory<K extends Kind>(options: HistoryOptions<K>, read: HistoryRead<K>): ToolResult {
  const { rows, consentRecordId, withheld, notice } = read;
  const listPart = (wanted: HistoryEntry['part']): HistoryEntry<K>[] =>
    rows.entries.filter(({ part }) => part === wanted);
  const alwaysShown = listPart('alwaysShown');
  const [dated, undated] = [listPart('dated'), listPart('undated')];
  const datedInForce = countPart(alwaysShown.filter(({ day }) => day !== null));
  const context: HistoryContext = {
    olderDay: rows.older[0]?.day ?? null,
    inForce: toInForce(rows),
    read: {
      alwaysShown: datedInForce,
      undatedInForce: countPart(alwaysShown.filter(({ day }) => day === null)),
      undated: countPart(undated),
    },
    holding: findHolding(rows.holdings, options.subject),
    notice,
    withheld,
  };
  const texts = new WeakMap<PageSelection<HistoryEntry<K>>, string>();
  const render = (shown: PageSelection<HistoryEntry<K>>): string => {
    const text = texts.get(shown) ?? renderHistory(options, shown, context);
    texts.set(shown, text);
    return text;
  };
  const { byWeight } = options;
  const readDownTo = datedInForce.read < datedInForce.all ? findOldestDay(alwaysShown) : null;
  const page = { alwaysShown, dated, undated, olderDay: context.olderDay, readDownTo, byWeight };
  const shown = fitToBudget<HistoryEntry<K>>(page, render);
  const audit = {
    ...buildDisclosure(mergeEntries(shown)),
    ...listNotShared(withheld, options.subject.kind),
  };
  return { text: render(shown), consentRecordId, audit };
}

const countPart = <K extends Kind>(entries: readonly HistoryEntry<K>[]): PartCount => ({
  read: entries.length,
  all: entries[0]?.partSize ?? 0,
});

/** Of entries that come newest first, those without a day last. */
const findOldestDay = <K extends Kind>(entries: readonly HistoryEntry<K>[]): string | null =>
  entries.findLast(({ day }) => day !== null)?.day ?? null;

function toInForce({
  groups,
  drugs,
  people,
}: {
  groups: readonly GroupInForce[];
  drugs: readonly DrugStatement[];
  people: readonly Demographics[];
}): InForce {
  const death = findDeath(people);
  // Of the dead nothing is stale: it is over.
  const stale = groups.flatMap(({ groupKey, lastDay, isStale }) =>
    isStale && lastDay !== null && death === null ? [[groupKey, lastDay] as const] : [],
  );
  return {
    stale: new Map(stale),
    groups: new Map(groups.map((group) => [group.groupKey, group])),
    ends: findDrugEnds(drugs),
    death,
  };
}

/** All entries of what is asked for, whatever the window. */
const findHolding = (holdings: readonly Holding[], { kind, withNotes }: EntryFilter): Holding | undefined =>
  sumHoldings(
    holdings.filter((each) => each.kind === kind || (withNotes === true && each.kind === 'note')),
    kind,
  );
