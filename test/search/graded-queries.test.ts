import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readGradedQueries } from './graded-queries.ts';
import { matchesGroup, readTraits } from './relevance.ts';

const QUERIES = readGradedQueries();

describe('the graded queries', () => {
  it('have ids of their own, and no query twice of one record', () => {
    assert.equal(new Set(QUERIES.map(({ id }) => id)).size, QUERIES.length);
    const asked = QUERIES.map(({ record, query }) => `${record} ${query.toLowerCase()}`);
    assert.equal(new Set(asked).size, asked.length);
  });

  it('hold a direct answer each, or say that there is none', () => {
    for (const { id, relevant, nothing, absent, kind } of QUERIES) {
      assert.equal(nothing ?? false, kind === 'nothing', id);
      assert.equal(nothing ?? false, absent !== undefined, id);
      assert.equal(
        relevant.some(({ grade }) => grade === 3),
        nothing === undefined,
        id,
      );
    }
  });

  it('name no group twice, and only expressions that compile', () => {
    for (const { id, relevant, absent } of QUERIES) {
      const groups = relevant.map(({ match }) => JSON.stringify(match));
      assert.equal(new Set(groups).size, groups.length, id);
      for (const source of [absent ?? '', ...relevant.flatMap(({ match }) => match.text ?? [])])
        assert.ok(new RegExp(source, 'i'), id);
    }
  });
});

describe('whether a resource belongs to a group', () => {
  const a1c = readTraits({
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '4548-4', display: 'Hemoglobin A1c' }] },
    effectiveDateTime: '2019-03-02T23:10:00-05:00',
    note: [{ text: 'fasting' }],
  });
  const note = readTraits({
    resourceType: 'DocumentReference',
    content: [{ attachment: { data: Buffer.from('No chest pain.').toString('base64') } }],
  });

  it('is decided by type, and by code or text', () => {
    assert.ok(matchesGroup(a1c, { types: ['Observation'], codes: ['http://loinc.org|4548-4'] }));
    assert.ok(matchesGroup(a1c, { codes: ['http://loinc.org|718-7'], text: ['\\bA1C\\b'] }));
    assert.ok(!matchesGroup(a1c, { types: ['Condition'], codes: ['http://loinc.org|4548-4'] }));
    assert.ok(!matchesGroup(a1c, { text: ['4548-4'] }));
    assert.ok(matchesGroup(note, { types: ['DocumentReference'], text: ['chest pain'] }));
  });

  it('is decided by the day as it is written', () => {
    assert.ok(matchesGroup(a1c, { window: ['2019-03-02', '2019-03-02'] }));
    assert.ok(!matchesGroup(a1c, { window: ['2019-03-03', '2019-12-31'] }));
    assert.ok(!matchesGroup(note, { window: ['0001-01-01', '9999-12-31'] }));
  });

  it('is decided by clinicalStatus before status, and by the Medication that is referred to', () => {
    const asthma = { resourceType: 'Condition', clinicalStatus: { coding: [{ code: 'active' }] } };
    assert.ok(matchesGroup(readTraits(asthma), { status: ['active'] }));
    assert.ok(!matchesGroup(a1c, { status: ['active'] }));
    const aspirin = { resourceType: 'Medication', code: { text: 'Aspirin 81 mg' } };
    const request = readTraits({ resourceType: 'MedicationRequest' }, aspirin);
    assert.ok(matchesGroup(request, { types: ['MedicationRequest'], text: ['aspirin'] }));
  });
});
