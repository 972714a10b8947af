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
  notShared: [],
  types: [],
  entries: 100,
  whole: false,
  counted: false,
  from: null,
  until: null,
  reason: null,
  ...more,
});

const group = (...newestFirst: LogEntry[]): [id: string, entries: number | null, steps: number][] =>
  groupEntries(newestFirst).map(({ entry: { id, entries }, steps }) => [id, entries, steps]);

describe('groupEntries', () => {
  it('makes one line of the pages of a record, with the sum of their entries', () => {
    assert.deepEqual(group(entry(3, { entries: 45 }), entry(2), entry(1)), [['3', 245, 3]]);
  });

  it('does not count one resource that is read twice as two', () => {
    const read = { action: 'fhir.read', types: ['Condition'], entries: 1 };
    assert.deepEqual(group(entry(2, read), entry(1, read)), [['2', null, 2]]);
  });

  it('separates entries by reader, scope and time', () => {
    const others: Partial<LogEntry>[] = [
      { organization: { id: 'other', name: 'Hill Clinic' } },
      { project: null },
      { actor: { kind: 'patient', id: 'p' } },
      { types: ['Condition'] },
      { action: 'fhir.read' },
      { outcome: 'refused' },
      { whole: true },
      { counted: true },
      { action: 'mcp.tools_call', tool: 'get_labs' },
    ];
    for (const other of others)
      assert.equal(group(entry(2), entry(1, other)).length, 2, JSON.stringify(other));
    assert.equal(group(entry(30), entry(1)).length, 2);
  });

  it('separates entries that cover the whole record, were refused, or are no pages', () => {
    for (const each of [
      { whole: true },
      { outcome: 'refused' as const, entries: null },
      { action: 'mcp.tools_call', tool: 'get_labs' },
    ])
      assert.equal(group(entry(2, each), entry(1, each)).length, 2, JSON.stringify(each));
  });

  it('continues a group while no pause is long, however long it takes in total', () => {
    assert.deepEqual(group(entry(18), entry(9), entry(0)), [['18', 300, 3]]);
  });
});
