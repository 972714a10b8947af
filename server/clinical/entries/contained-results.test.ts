import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ParsedResource } from '../store/found-resource.ts';
import { buildEntries } from './build-entries.ts';
import type { Entry } from './entry.ts';

const build = (resource: ParsedResource): Entry[] => buildEntries(resource, { resolve: () => null });

const wbc = (more: object = {}) => ({
  resourceType: 'Observation',
  id: 'o1',
  code: { text: 'WBC' },
  valueQuantity: { value: '0.9', unit: '10*3/uL' },
  interpretation: [{ text: 'Critical low' }],
  ...more,
});

const report = (contained: readonly object[], more: object = {}): ParsedResource => ({
  resourceType: 'DiagnosticReport',
  id: 'd1',
  status: 'preliminary',
  category: [{ coding: [{ code: 'LAB' }] }],
  code: { text: 'CBC' },
  effectiveDateTime: '2026-06-10',
  contained,
  result: contained.map((_, index) => ({ reference: `#o${index + 1}` })),
  ...more,
});

describe('a result that a report contains', () => {
  it('is a result as any other, with what the report says where it says nothing itself', () => {
    const [panel, result] = build(report([wbc()]));
    assert.equal(panel?.title, 'CBC');
    assert.ok(result?.kind === 'lab');
    const { title, category, status, dayText, detail } = result;
    assert.deepEqual(
      { title, category, status, dayText, value: detail.value, flag: detail.flag },
      {
        title: 'WBC',
        category: 'LABS',
        status: 'preliminary',
        dayText: '2026-06-10',
        value: '0.9',
        flag: 'critical low',
      },
    );
    const own = build(report([wbc({ status: 'final', issued: '2026-06-12T08:00:00Z' })]))[1];
    assert.deepEqual([own?.status, own?.dayText], ['final', '2026-06-12']);
  });

  it('is one of the kind that it has itself, or that its report has', () => {
    const getKind = (more: object, result: object) => build(report([wbc(result)], more))[1]?.kind;
    const named = { code: { text: 'Septal thickness' }, interpretation: undefined };
    assert.equal(getKind({}, named), 'lab');
    assert.equal(getKind({ category: undefined }, named), 'other');
    assert.equal(getKind({ category: undefined }, {}), 'lab');
    assert.equal(getKind({ category: [{ coding: [{ code: 'RAD' }] }] }, named), 'imaging');
    assert.equal(getKind({}, { category: [{ coding: [{ code: 'survey' }] }] }), 'survey');
  });

  it('is found in a panel too, which has none of its own then, and not where it was entered in error', () => {
    const panel: ParsedResource = {
      resourceType: 'Observation',
      id: 'p1',
      category: [{ coding: [{ code: 'laboratory' }] }],
      code: { text: 'CBC' },
      contained: [
        wbc(),
        { resourceType: 'Observation', id: 'o2', code: { text: 'Group' }, hasMember: [{ reference: '#o1' }] },
        wbc({ id: 'o3', status: 'entered-in-error' }),
      ],
      hasMember: [{ reference: '#o1' }],
    };
    assert.deepEqual(
      build(panel).map(({ title, detail }) => [title, 'absent' in detail ? detail.absent : '']),
      [
        ['CBC', null],
        ['WBC', null],
      ],
    );
  });

  it('is marked where it, or its report, has an unknown modifier', () => {
    const modifierExtension = [{ url: 'https://example.org/modifier', valueBoolean: true }];
    for (const resource of [report([wbc({ modifierExtension })]), report([wbc()], { modifierExtension })])
      assert.match(build(resource)[1]?.title ?? '', /^WBC \(with an unknown modifier\)$/);
  });
});
