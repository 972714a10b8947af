import type { MedicationDetail } from '../entries/entry.ts';
import { isDenied } from '../entries/denied.ts';
import { CLUSTERED_KINDS } from '../queries/own-facts.sql.ts';
import type { WithoutValue } from '../queries/stated-values.sql.ts';
import { lacksValue } from '../entries/lacks-value.ts';
import type { ObservationDetail } from '../entries/observation-detail.ts';
import type { StoredEntry } from '../queries/clinical.sql.ts';
import type { Extreme } from './question.ts';
import { judgeRivals } from './judge-rivals.ts';
import type { Hit } from './search.sql.ts';

/**
 * Hits that say the same, represented by the newest of them, of a drug that is taken now by none that is to come, of measurements by the newest that states a value, or by the one with
 * the value that is asked for.
 */
export interface Cluster {
  hit: Hit;
  /** The newest, where it came later and states no value. */
  since: WithoutValue | null;
  /** All entries behind it, the shown one included. */
  times: number;
  firstDay: string | null;
  lastDay: string | null;
  /** The last end that one of them states: a course lasts longer than it began. */
  lastEnd: string | null;
  /** Whether any of them is in force. */
  isCurrent: boolean;
  /** Those of a drug that has not begun, the first first. */
  toCome: readonly ToCome[];
  /** Of the values, where the highest or lowest is asked for: their units, and how many are no plain number. */
  units: readonly string[];
  unequalled: number;
}

/** An order or statement of a drug that is to be taken from a later day on. */
export interface ToCome {
  day: string;
  dosage: string | null;
}

/** Three quarters of the words in common: the same paragraph with another age, date or dose in it. */
const MIN_SIMILARITY = 0.75;
/** Nearly all words of the shorter one in the longer: a list that grew by a drug. Not for short ones, which any long one contains. */
const MIN_CONTAINMENT = 0.85;

/**
 * Clusters hits, in the order of their best hit. A record repeats itself: the same paragraphs at every visit, the same
 * drug in new doses. `extreme` is the value that a course is represented by. `keepsSimilar` leaves apart what is only alike: the words of one visit are not those of another to
 * whoever reads them one by one.
 */
export function clusterHits(
  hits: readonly Hit[],
  { keepsSimilar = false, extreme = null }: ClusterOptions = {},
): Cluster[] {
  const clusters: { members: Hit[]; tokens: Set<string> }[] = [];
  for (const hit of hits) {
    if (clusters.some(({ members }) => members.some((member) => isSameEntry(member, hit)))) continue;
    const tokens = tokenize(hit);
    const same = clusters.find(
      ({ members, tokens: theirs }) =>
        isSame(members[0] as Hit, hit) ||
        (!keepsSimilar && isSimilar([members[0] as Hit, theirs], [hit, tokens])),
    );
    if (same) same.members.push(hit);
    else clusters.push({ members: [hit], tokens });
  }
  return clusters.flatMap(({ members }) => separateRivals(buildCluster(members, extreme), members, extreme));
}

interface ClusterOptions {
  keepsSimilar?: boolean;
  extreme?: Extreme | null;
}

/** Of a note the best passage is shown. */
const isSameEntry = ({ entry: one }: Pick<Hit, 'entry'>, { entry: other }: Pick<Hit, 'entry'>): boolean =>
  one.seq === other.seq && one.ordinal === other.ordinal;

const isSame = ({ entry: one }: Hit, { entry: other }: Hit): boolean =>
  one.kind === other.kind &&
  CLUSTERED_KINDS.has(one.kind) &&
  one.groupKey === other.groupKey &&
  getSite(one) === getSite(other) &&
  isDenied(one) === isDenied(other);

/** The left eye and the right one are two things; the same as in `buildFactKey` of the patient's own facts. */
const getSite = ({ kind, detail }: StoredEntry): string | null =>
  kind === 'condition' || kind === 'procedure'
    ? ((detail as { bodySite?: string | null }).bodySite?.toLowerCase() ?? null)
    : null;

/** Notes alone are compared by their words: "Acetaminophen 325 mg" and "… 160 mg" differ in a number only, and matter. */
function isSimilar([one, its]: [Hit, Set<string>], [other, theirs]: [Hit, Set<string>]): boolean {
  if (one.entry.kind !== other.entry.kind || CLUSTERED_KINDS.has(one.entry.kind)) return false;
  if (one.entry.title !== other.entry.title && one.entry.kind !== 'note') return false;
  if (its.size === 0 || theirs.size === 0)
    return one.entry.title === other.entry.title && its.size === theirs.size;
  const common = its.intersection(theirs).size;
  const smaller = Math.min(its.size, theirs.size);
  return (
    common / (its.size + theirs.size - common) >= MIN_SIMILARITY ||
    (smaller >= 12 && common / smaller >= MIN_CONTAINMENT)
  );
}

const tokenize = ({ body }: Hit): Set<string> =>
  new Set(
    body
      .toLowerCase()
      .replace(/\d+/g, '0')
      .match(/[\p{L}\p{N}]+/gu),
  );

function buildCluster(members: readonly Hit[], extreme: Extreme | null): Cluster {
  const isCurrent = members.some((hit) => hit.isCurrent);
  const stating = members.filter((hit) => !lacksValue(hit.entry) && !(isCurrent && isOnlyToCome(hit)));
  const newest = findNewest(members);
  const units = [...new Set(members.flatMap(({ range }) => range.units))];
  const hit =
    (units.length === 1 && findExtreme(members, extreme)) ||
    (stating.length === 0 ? newest : findNewest(stating));
  const days = members.flatMap(({ firstDay, lastDay }) => [firstDay ?? [], lastDay ?? []].flat()).sort();
  return {
    hit,
    since: isLater(newest, hit) ? toWithoutValue(newest.entry) : null,
    times: members.reduce((sum, { times }) => sum + times, 0),
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    lastEnd:
      members
        .flatMap(({ lastEnd }) => lastEnd ?? [])
        .sort()
        .at(-1) ?? null,
    isCurrent,
    toCome: members.flatMap(toToCome).sort((one, other) => one.day.localeCompare(other.day)),
    units,
    unequalled: members.reduce((sum, { range }) => sum + range.unequalled, 0),
  };
}

/**
 * Sets what was measured at the same time with another value beside what stands for all: neither is the newer one.
 * The highest or lowest value is the only one that is asked for.
 */
function separateRivals(cluster: Cluster, members: readonly Hit[], extreme: Extreme | null): Cluster[] {
  const { entry } = cluster.hit;
  const { stated, rivals } = judgeRivals(entry, extreme === null ? (cluster.hit.rivals ?? []) : []);
  const counted = rivals.filter(
    (rival) => !isWorded(rival) || members.some((member) => isSameEntry(member, { entry: rival })),
  ).length;
  return [
    {
      ...cluster,
      hit: stated === entry ? cluster.hit : { ...cluster.hit, entry: stated, body: '' },
      times: Math.max(1, cluster.times - counted),
    },
    ...rivals.map((rival) => ({
      ...cluster,
      hit: { ...cluster.hit, entry: rival, body: '', times: 1 },
      since: null,
      times: 1,
      firstDay: entry.day,
      lastDay: entry.day,
      lastEnd: entry.endText,
    })),
  ];
}

/** Values in words are texts of their own, which hits are made of; all numbers of a test are one. */
const isWorded = ({ detail }: StoredEntry): boolean =>
  /^[^\d]*$/.test((detail as ObservationDetail).value ?? '0');

const isOnlyToCome = ({ begins, isCurrent }: Hit): boolean => begins !== null && !isCurrent;

/** All that use a text have its dosage. */
const toToCome = ({ begins, entry }: Hit): ToCome[] =>
  begins === null ? [] : [{ day: begins, dosage: (entry.detail as MedicationDetail).dosage }];

/** Of equal values the newest. */
function findExtreme(members: readonly Hit[], extreme: Extreme | null): Hit | null {
  const sign = extreme === 'highest' ? 1 : -1;
  const valued = members.flatMap((hit) =>
    hit.range.value === null ? [] : { hit, value: sign * hit.range.value },
  );
  valued.sort(
    (one, other) =>
      other.value - one.value || (other.hit.entry.day ?? '').localeCompare(one.hit.entry.day ?? ''),
  );
  return valued[0]?.hit ?? null;
}

const compareTime = ({ lastDay: day, entry: one }: Hit, { lastDay: otherDay, entry: other }: Hit): number =>
  `${day ?? ''} ${one.time ?? ''}`.localeCompare(`${otherDay ?? ''} ${other.time ?? ''}`);

/** Of equal ones the first. */
const findNewest = (hits: readonly Hit[]): Hit =>
  hits.reduce((best, hit) => (compareTime(hit, best) > 0 ? hit : best));

const toWithoutValue = ({ detail, ...entry }: StoredEntry): WithoutValue => ({
  ...entry,
  similarIds: entry.similarIds ?? null,
  absent: (detail as ObservationDetail).absent,
});

const isLater = (one: Hit, other: Hit): boolean =>
  one !== other && lacksValue(one.entry) && compareTime(one, other) > 0;
