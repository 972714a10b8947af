import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildPartFragment, parsePart, PARTS, type Part } from './route.ts';

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
