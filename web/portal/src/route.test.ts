import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildPartFragment, buildReceiptFragment, parsePart, parseRoute, PARTS, type Part } from './route.ts';

describe('parsePart', () => {
  const fragments: [fragment: string, part: Part | null][] = [
    ['#/my-data', null],
    ['#/my-data/', null],
    ['#/my-data?from=mail', null],
    ['#/my-data/activity', 'activity'],
    ['#/my-data/delete-account/', 'delete-account'],
    ['#/my-data/what-never-was', null],
  ];
  for (const [fragment, part] of fragments)
    it(`reads ${part ?? 'the home page'} from ${fragment}`, () => assert.equal(parsePart(fragment), part));

  it('reads what buildPartFragment has built', () => {
    for (const part of [null, ...PARTS]) assert.equal(parsePart(buildPartFragment(part)), part);
  });
});

describe('parseRoute', () => {
  it('reads a receipt by the id of its record, and nothing else below a part', () => {
    const consentRecordId = '0b0e1c52-54c3-4d3a-9a3c-0d1a2b3c4d5e';
    const receipt = { part: 'receipts', consentRecordId };
    assert.deepEqual(parseRoute(buildReceiptFragment(consentRecordId)), receipt);
    for (const fragment of ['#/my-data/receipts/../../x', '#/my-data/receipts/1', '#/my-data/record/1'])
      assert.deepEqual(parseRoute(fragment), { part: null, consentRecordId: null });
    assert.deepEqual(parseRoute('#/my-data/record'), { part: 'record', consentRecordId: null });
  });
});
