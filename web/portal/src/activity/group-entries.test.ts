import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccessLogEntry as LogEntry } from '../../../../contract/account/access-log.ts';
import { groupEntries } from './group-entries.ts';

const entry = (minute: number, more: Partial<LogEntry> = {}): LogEntry => ({
  id: String(minute),
  at: new Date(2026, 10, 17, 10, minute).toISOString(),
  action: 'fhir.everything',
  outcome: 'success',
  actor: { kind: 'admin', id: 'key' },
  client: null,
  organization: { id: 'o', name: 'Lakeside Clinic' },
  project: { id: 's', name: 'Study' },
  consentRecordId: 'r',
  tool: null,
  categories: [],
  types: [],
  entries: 100,
  whole: false,
  from: null,
  until: null,
  reason: null,
  ...more,
});

const told = (...newestFirst: LogEntry[]): [id: string, entries: number | null, steps: number][] =>
  groupEntries(newestFirst).map(({ entry: { id, entries }, steps }) => [id, entries, steps]);

describe('the entries of a record that is read page by page', () => {
  it('are one line, with all that was read', () => {
    assert.deepEqual(told(entry(3, { entries: 45 }), entry(2), entry(1)), [['3', 245, 3]]);
  });

  it('are told apart by who read, what they read, and when', () => {
    const others: Partial<LogEntry>[] = [
      { organization: { id: 'other', name: 'Hill Clinic' } },
      { project: null },
      { actor: { kind: 'patient', id: 'p' } },
      { types: ['Condition'] },
      { action: 'fhir.read' },
      { outcome: 'refused' },
      { whole: true },
      { action: 'mcp.tools_call', tool: 'get_labs' },
    ];
    for (const other of others)
      assert.equal(told(entry(2), entry(1, other)).length, 2, JSON.stringify(other));
    assert.equal(told(entry(30), entry(1)).length, 2);
  });

  it('stay apart where each was all that there is, was refused, or was no page of a record', () => {
    for (const each of [
      { whole: true },
      { outcome: 'refused' as const, entries: null },
      { action: 'mcp.tools_call', tool: 'get_labs' },
    ])
      assert.equal(told(entry(2, each), entry(1, each)).length, 2, JSON.stringify(each));
  });

  it('go on as long as no pause is long, however long they take together', () => {
    assert.deepEqual(told(entry(18), entry(9), entry(0)), [['18', 300, 3]]);
  });
});
