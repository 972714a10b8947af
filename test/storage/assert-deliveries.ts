import assert from 'node:assert/strict';
import { MAX_WINDOW } from '../../server/surfaces/webhooks/delivery/concurrency-windows.ts';
import type { DeliveringNodes, TestWebhook } from './delivering-nodes.ts';
import { isAcknowledged, type LogEntry } from './flaky-receiver.ts';
import type { KillWindow } from './server-node.ts';
import type { AttemptRow, EventRow, StoredDeliveries } from './stored-deliveries.ts';

/** Less than the rest of a lease when the heartbeat is due. */
const LEASE_LEFT_MS = 5000;

/** An attempt takes at most ten seconds; storing its result and the receiver's message take a moment more. */
const MAX_ATTEMPT_MS = 11_000;
const TOLERANCE_MS = 1000;

type Scenario = Pick<DeliveringNodes, 'engine' | 'organization' | 'hooks' | 'receiver'> & {
  stored: StoredDeliveries;
  killed: readonly KillWindow[];
};

/** Asserts that each decision in force emitted one event, that nothing else did, and that every acknowledged decision did. */
export function assertDecisionsEmitted(
  { records, events }: StoredDeliveries,
  withdrawn: readonly string[],
): void {
  const formatEvent = ({ type, patient_id, occurred_at }: EventRow): string =>
    `${patient_id} ${occurred_at.toISOString()} ${type}`;
  const expected = new Map<string, string>();
  for (const [index, { patient_id, consent_record_id, consent_status, decided_at }] of records.entries()) {
    const before = records[index - 1];
    const wasOptedIn = before?.patient_id === patient_id && before.consent_status === 'OPTED_IN';
    const type = consent_status === 'OPTED_IN' ? 'consent.granted' : 'consent.withdrawn';
    if (type === 'consent.granted' || wasOptedIn)
      expected.set(consent_record_id, `${patient_id} ${decided_at.toISOString()} ${type}`);
  }
  assertSameTexts(events.map(formatEvent), expected.values(), 'events and decisions');
  assert.deepEqual(
    withdrawn.filter((id) => expected.get(id)?.endsWith('consent.withdrawn') !== true),
    [],
    'acknowledged and not emitted',
  );
}

/** Asserts that each event was delivered to each matching endpoint, dropped for paused ones, and is nowhere else. */
export function assertEventsDelivered({ stored, hooks, receiver: { log } }: Scenario): void {
  const { all, project, paused } = hooks;
  const expected = stored.events.flatMap(({ event_id: id, type }) => [
    ...(type === 'consent.withdrawn' ? [`${all.id} ${id} delivered null`] : []),
    `${project.id} ${id} delivered null`,
    `${paused.id} ${id} dropped paused`,
  ]);
  assertSameTexts(
    stored.deliveries.map((row) => `${row.webhook_id} ${row.event_id} ${row.state} ${row.reason}`),
    expected,
    'deliveries and events',
  );
  assert.ok(stored.deliveries.every(({ leased_by: worker }) => worker === null));
  const delivered = stored.deliveries
    .filter(({ state }) => state === 'delivered')
    .map((row) => `${findHook(hooks, row.webhook_id).path} ${row.event_id}`);
  const acknowledgedKeys = log.filter(isAcknowledged).map(({ path, eventId }) => `${path} ${eventId}`);
  assertSameTexts(new Set(acknowledgedKeys), delivered, 'what was acknowledged and what is called delivered');
}

/** Asserts that every body at every endpoint holds its event and has a valid signature. */
export function assertBodiesMatchEvents({ stored, hooks, receiver }: Scenario): void {
  const events = new Map(stored.events.map((event) => [event.event_id, event]));
  const secrets = new Map(Object.values(hooks).map(({ path, secret }: TestWebhook) => [path, secret]));
  for (const entry of receiver.log) {
    const event = events.get(entry.eventId);
    assert.ok(event, `${entry.eventId} was never emitted`);
    const { deliveryAttempt, ...body } = entry.json;
    assert.ok(deliveryAttempt >= 1 && deliveryAttempt <= 8);
    assert.deepEqual(body, {
      type: event.type,
      timestamp: event.occurred_at.toISOString(),
      apiVersion: 1,
      organizationId: event.organization_id,
      projectId: event.project_id,
      data: JSON.parse(event.data),
    });
    receiver.now = () => new Date(entry.at);
    receiver.verify(secrets.get(entry.path) ?? '', entry);
  }
}

/**
 * Each attempt that is kept came as it is kept, numbered from 1, the last one acknowledged. Answers those that came and
 * are not kept: of a node that was killed, no more than it can have had under way.
 */
export function assertAttemptsMatch({ stored, hooks, receiver, killed }: Scenario): LogEntry[] {
  const received = Map.groupBy(receiver.log, toKey);
  const storedKeys = new Set<string>();
  for (const [index, row] of stored.attempts.entries()) {
    const next = stored.attempts[index + 1];
    const isLast = next?.webhook_id !== row.webhook_id || next.event_id !== row.event_id;
    assert.equal(
      row.fault === null,
      isLast,
      `attempt ${row.delivery_attempt} of ${row.event_id}: it is acknowledged, and the last one, or neither`,
    );
    if (!isLast) assert.equal(next?.delivery_attempt, row.delivery_attempt + 1);
    const key = toKey({
      path: findHook(hooks, row.webhook_id).path,
      eventId: row.event_id,
      attempt: row.delivery_attempt,
    });
    assert.ok(!storedKeys.has(key), `${key} is kept twice`);
    storedKeys.add(key);
    // A connection may break before the request is through.
    if (row.status !== null || received.has(key))
      assert.ok(received.get(key)?.some(matchesAttempt(row)), key);
  }
  const lost = [...received].flatMap(([key, entries]) => findLostEntries(entries, storedKeys.has(key)));
  for (const { at } of lost)
    assert.ok(
      killed.some(({ from, to }) => at <= to + TOLERANCE_MS && at >= from - MAX_ATTEMPT_MS),
      'what came is not kept, though nobody was killed over it',
    );
  const endpoints = new Set(receiver.log.map(({ path }) => path)).size;
  assert.ok(lost.length <= killed.length * endpoints * MAX_WINDOW, `${lost.length} attempts are not kept`);
  return lost;
}

/**
 * Nothing is sent again of which the result could have been kept: a node died between, and unless it was the only one,
 * its lease ran out. A connection that broke on its way may have been tried once more at once. Answers how often
 * something was acknowledged again.
 */
export function assertOnlyCrashesRepeat({
  engine,
  receiver: { log },
  killed,
}: Pick<Scenario, 'engine' | 'receiver' | 'killed'>): number {
  for (const [key, entries] of Map.groupBy(log, toKey))
    for (const [index, { at }] of entries.entries()) {
      const before = entries[index - 1];
      if (!before || before.reply.reset) continue;
      assert.ok(
        killed.some(({ from, to }) => before.at <= to + TOLERANCE_MS && at >= from),
        `${key} came again after ${at - before.at} ms, and nobody had died`,
      );
      if (engine === 'postgresql') assert.ok(at - before.at >= LEASE_LEFT_MS, `${key} came under a lease`);
    }
  const acknowledgedKeys = log.filter(isAcknowledged).map(({ path, eventId }) => path + eventId);
  return acknowledgedKeys.length - new Set(acknowledgedKeys).size;
}

const toKey = ({ path, eventId, attempt }: Pick<LogEntry, 'path' | 'eventId' | 'attempt'>): string =>
  `${path} ${eventId} ${attempt}`;

/** Returns the copies of a repeated attempt whose results were lost; a broken connection may have been tried again. */
function findLostEntries(entries: readonly LogEntry[], isStored: boolean): LogEntry[] {
  const answered = entries.filter(({ reply }) => !reply.reset);
  if (!isStored) return answered.length > 0 ? answered : entries.slice(-1);
  return answered.slice(0, entries.at(-1)?.reply.reset ? undefined : -1);
}

const matchesAttempt =
  ({ status, fault }: AttemptRow) =>
  ({ reply }: LogEntry): boolean =>
    status === null ? reply.reset === true && fault === 'connection_failed' : status === reply.status;

function findHook(hooks: DeliveringNodes['hooks'], id: string): TestWebhook {
  const hook = Object.values(hooks).find((hook: TestWebhook) => hook.id === id);
  assert.ok(hook, `a delivery for ${id}`);
  return hook;
}

/** Asserts that both lists hold the same texts, equally often, in any order. */
function assertSameTexts(some: Iterable<string>, others: Iterable<string>, what: string): void {
  const [one, other] = [[...some].sort(), [...others].sort()];
  const [first, second] = [new Set(one), new Set(other)];
  assert.deepEqual(
    { only: one.filter((text) => !second.has(text)), not: other.filter((text) => !first.has(text)) },
    { only: [], not: [] },
    what,
  );
  assert.equal(one.length, other.length, what);
}
