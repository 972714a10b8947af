import type { Group } from '../records/summary.sql.ts';
import { counted, factTable, paragraphs, type Fact } from './markdown.ts';
import { byPlace, nounOf, statusText, type Place } from './medication-place.ts';
import { namesText, nameText } from './name-text.ts';
import { inline } from './record-text.ts';
import { periodOf, QUIET_NOTE, quietText, severalTimes } from './written-dates.ts';
import { noneRecorded, recorded } from './withheld-text.ts';
import { limitText, MOST, rest, statedList, type Day } from './summary.ts';

/** What is told of one drug at one place, what is in force first. */
type Drug = Group<'medication'>[];

export function medicationsText(
  groups: readonly Group<'medication'>[],
  { today, quietBefore, withheld }: Day,
): string {
  const drugs = groups.filter(({ detail }) => !detail.none);
  const stated = statedList(groups.filter(({ detail }) => detail.none));
  if (drugs.length === 0) return stated ?? noneRecorded(withheld, 'MEDICATIONS');
  const places = byPlace(drugs, today);
  const at = (...names: Place[]): Drug[] => names.flatMap((name) => places.get(name) ?? []);
  const current = at('Current');
  const past = at('On hold', 'Past', 'Status not told', 'Not taken').sort(newestFirst);
  const forbidden = at('Not to be given');
  const lastDays = lastDayOfEach(drugs);
  const quiet = (drug: Drug): string | null => {
    const day = lastDays.get(drug[0]?.groupKey ?? '');
    return day !== undefined && day < quietBefore ? day : null;
  };
  const shown = current.slice(0, MOST.current);
  const ordered = ['Medication', 'Ordered', 'Dosage'];
  return paragraphs(
    stated,
    current.length === 0 ? `No current medications ${recorded(withheld)}.` : `Current (${current.length}):`,
    tableOf(
      [...ordered, 'Reason'],
      shown.map((drug) => drugFact(drug, quiet(drug))),
    ),
    rest(current.length, MOST.current, 'get_medications'),
    shown.some(quiet) ? QUIET_NOTE : null,
    forbidden.length === 0 ? null : `Not to be given (${forbidden.length}):`,
    tableOf(
      [...ordered, 'Reason'],
      forbidden.slice(0, MOST.current).map((drug) => drugFact(drug, null)),
    ),
    rest(forbidden.length, MOST.current, 'get_medications'),
    past.length === 0 ? null : `No longer current, or of unknown status (${past.length}), the newest:`,
    tableOf([...ordered, 'Status'], past.slice(0, MOST.past).map(pastFact)),
    rest(past.length, MOST.past, 'get_medications'),
    besidesText(places),
    limitText(groups),
  );
}

const tableOf = (heads: string[], facts: Fact[]): string | null =>
  facts.length === 0 ? null : factTable(heads, facts);

/** Of each drug the newest day, by whatever is told of it: a drug that is dispensed is not forgotten. */
function lastDayOfEach(groups: readonly Group<'medication'>[]): Map<string, string> {
  const days = new Map<string, string>();
  for (const { groupKey, lastDay } of groups)
    if (lastDay !== null && lastDay > (days.get(groupKey) ?? '')) days.set(groupKey, lastDay);
  return days;
}

const lastDayOf = (drug: Drug): string => spreadOf(drug).lastDay ?? '';
const newestFirst = (one: Drug, other: Drug): number => (lastDayOf(one) < lastDayOf(other) ? 1 : -1);

function spreadOf(drug: Drug) {
  const [only] = drug;
  if (drug.length === 1 && only) return only;
  const days = drug
    .flatMap(({ firstDay, lastDay }) => (firstDay && lastDay ? [firstDay, lastDay] : []))
    .sort();
  return {
    times: drug.reduce((sum, { times }) => sum + times, 0),
    dated: drug.reduce((sum, { dated }) => sum + dated, 0),
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
  };
}

/** "2021-06-01", or "12 orders, 2 statements, 2019-03-04 to 2021-06-01". */
function ordered(drug: Drug): string {
  const [told] = drug as [Group<'medication'>];
  const spread = spreadOf(drug);
  if (spread.times === 1) return periodOf(told);
  const counts = new Map<string, number>();
  for (const group of drug) counts.set(nounOf(group), (counts.get(nounOf(group)) ?? 0) + group.times);
  return severalTimes(
    [...counts].map(([noun, count]) => counted(count, noun)),
    spread,
  );
}

function drugFact(drug: Drug, quietSince: string | null): Fact {
  const [told] = drug as [Group<'medication'>];
  const mark = quietSince === null ? '' : ` (${quietText(quietSince, spreadOf(drug).lastDay)})`;
  return {
    cells: [
      nameText(told.title),
      `${ordered(drug)}${mark}`,
      nameText(told.detail.dosage, 200),
      namesText(told.detail.reason, 120),
    ],
    entries: [told],
  };
}

function pastFact(drug: Drug): Fact {
  const [told] = drug as [Group<'medication'>];
  const status = inline(statusText(told) ?? 'status not told');
  return {
    cells: [nameText(told.title), ordered(drug), nameText(told.detail.dosage, 200), status],
    entries: [told],
  };
}

/** What follows from orders, or is none yet. */
function besidesText(places: ReadonlyMap<Place, Drug[]>): string | null {
  const parts = (['Planned or proposed', 'Given', 'Dispensed'] as const).flatMap((place) => {
    const count = places.get(place)?.length ?? 0;
    return count === 0 ? [] : `${count} ${place.toLowerCase()}`;
  });
  return parts.length === 0 ? null : `Besides, ${parts.join(', ')}: see \`get_medications\`.`;
}
