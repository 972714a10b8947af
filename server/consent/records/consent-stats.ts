import type { z } from 'zod';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import { ResourceScope } from '../../../contract/data-categories.ts';
import {
  AGE_BOUNDS_DAYS,
  MAX_STATS_BUCKETS,
  TIME_BOUNDS_SECONDS,
  WithdrawalReason,
  type ConsentStats,
  type getConsentStats as endpoint,
} from '../../../contract/organization/organization-consents.ts';
import { toFirstDay, toLastDay } from '../../../contract/day-or-instant.ts';
import { toDay, addDays } from '../../../contract/time-zone.ts';
import { getTimeZone } from '../../identity/organizations/time-zone.ts';
import { one, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { invalidInput, type Refusal } from '../../platform/kernel/refusal.ts';
import { listCategories } from '../access/sensitivity-labels.ts';
import { DELETION_FLOW, ENROLLMENT_ENDED_FLOW, INVITATION_FLOW } from '../decisions/decide.ts';
import * as statements from './consent-stats.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

type Query = z.infer<(typeof endpoint)['query']>;
type StatsDto = z.input<typeof ConsentStats>;

const DEFAULT_DAYS = 90;

/** Counts decisions and consents of what the caller may see; nobody's is named. */
export async function getConsentStats(
  { db, clock }: Deps,
  caller: OrganizationCaller,
  query: Query,
): Promise<StatsDto> {
  const scope = buildScope(caller, query, {
    now: clock.now(),
    zone: await getTimeZone(db, caller.organizationId),
  });
  const buckets = await db.query(statements.selectBuckets(scope, MAX_STATS_BUCKETS + 1));
  if (buckets.length > MAX_STATS_BUCKETS) throw tooManyBuckets();
  const starts = buckets.map(({ start }) => start);
  const whole = { ...scope, from: starts[0] ?? scope.from };
  const [decisions, expired, inForce, withdrawals, times, timeCounts] = await Promise.all([
    db.query(statements.countDecisions(whole)),
    db.query(statements.countExpired(whole)),
    db.query(statements.countInForce(scope)),
    db.query(statements.countWithdrawals(scope, toBounds(AGE_BOUNDS_DAYS))),
    one(db, statements.selectDecisionTimes(scope)),
    db.query(statements.countDecisionTimes(scope, toBounds(TIME_BOUNDS_SECONDS))),
  ]);
  const total = sum(inForce, ({ consents }) => consents);
  return {
    from: scope.from,
    to: scope.to,
    bucket: scope.bucket,
    zone: scope.zone,
    buckets: countBack(starts, { decisions, expired, inForceNow: total }),
    inForce: total,
    reading: sum(inForce, ({ reading }) => reading),
    shared: ResourceScope.options.map((category) => ({
      category,
      consents: sum(inForce, ({ withheld, reading }) =>
        listCategories(withheld).includes(category) ? 0 : reading,
      ),
    })),
    withdrawals: toWithdrawalsDto(withdrawals),
    timeToDecide: {
      decisions: sum(timeCounts, ({ count }) => count),
      medianSeconds: times.median,
      p90Seconds: times.p90,
      times: TIME_BOUNDS_SECONDS.map((withinSeconds, place) => ({
        withinSeconds,
        count: sum(timeCounts, ({ time, count }) => (time === place ? count : 0)),
      })),
    },
  };
}

function buildScope(
  caller: OrganizationCaller,
  { from, to, ...query }: Query,
  { now, zone }: { now: Date; zone: string },
): statements.StatsScope {
  const last = to === undefined ? toDay(now, zone) : toLastDay(to, zone);
  const first = from === undefined ? addDays(last, 1 - DEFAULT_DAYS) : toFirstDay(from, zone);
  if (first > last) throw invalidInput([{ path: 'from', message: 'must not be after to' }]);
  // Before the store makes them: the days from year 1 on took four seconds of it.
  if ((Date.parse(last) - Date.parse(first)) / MAX_BUCKET_MS[query.bucket] > MAX_STATS_BUCKETS)
    throw tooManyBuckets();
  return {
    reach: caller,
    projectId: query.projectId,
    bucket: query.bucket,
    zone,
    from: first,
    to: last,
    now,
  };
}

const tooManyBuckets = (): Refusal =>
  invalidInput([{ path: 'from', message: `makes more than ${MAX_STATS_BUCKETS} buckets with to` }]);

const DAY_MS = 24 * 3_600_000;

const MAX_BUCKET_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 31 * DAY_MS } as const;

/** The bounds but for the last, which is open. */
const toBounds = (bounds: readonly (number | null)[]): number[] => bounds.filter((bound) => bound !== null);

const sum = <T>(rows: readonly T[], get: (row: T) => number): number =>
  rows.reduce((total, row) => total + get(row), 0);

interface Changes {
  decisions: readonly statements.DecisionCountRow[];
  expired: readonly { start: string; expired: number }[];
  inForceNow: number;
}

const NONE = { given: 0, changed: 0, refused: 0, withdrawn: 0, revoked: 0, ended_at_once: 0 };

/** Builds the buckets from what is in force now, back by what was given and what ended since. */
function countBack(
  starts: readonly string[],
  { decisions, expired, inForceNow }: Changes,
): StatsDto['buckets'] {
  const decided = new Map(decisions.map((row) => [row.start, row]));
  const ended = new Map(expired.map((row) => [row.start, row.expired]));
  const read = (start: string): Omit<StatsDto['buckets'][number], 'inForce'> => {
    const { given, changed, refused, withdrawn, ...row } = decided.get(start) ?? NONE;
    const endedByTime = row.ended_at_once + (ended.get(start) ?? 0);
    return { start, given, changed, refused, withdrawn, ended: row.revoked + endedByTime };
  };
  const last = starts.at(-1) ?? '';
  const later = [...new Set([...decided.keys(), ...ended.keys()])].filter((start) => start > last);
  const change = (row: ReturnType<typeof read>): number => row.given - row.withdrawn - row.ended;
  let inForce = inForceNow - sum(later.map(read), change);
  return starts
    .map(read)
    .toReversed()
    .map((row) => {
      const bucket = { ...row, inForce };
      inForce -= change(row);
      return bucket;
    })
    .toReversed();
}

const REASON_BY_FLOW: ReadonlyMap<string, WithdrawalReason> = new Map([
  [INVITATION_FLOW, 'asked_again'],
  [DELETION_FLOW, 'account_deleted'],
  [ENROLLMENT_ENDED_FLOW, 'enrollment_ended'],
]);

const toWithdrawalsDto = (rows: readonly statements.WithdrawalCountRow[]): StatsDto['withdrawals'] => ({
  total: sum(rows, ({ count }) => count),
  reasons: WithdrawalReason.options.map((reason) => ({
    reason,
    count: sum(rows, ({ flow, count }) => ((REASON_BY_FLOW.get(flow) ?? 'patient') === reason ? count : 0)),
  })),
  ages: AGE_BOUNDS_DAYS.map((withinDays, place) => ({
    withinDays,
    count: sum(rows, ({ age, count }) => (age === place ? count : 0)),
  })),
});
