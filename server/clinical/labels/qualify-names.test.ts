import assert from 'node:assert/strict';
import { it } from 'node:test';
import { listMentions } from './mentions.ts';
import { qualifyNames } from './qualify-names.ts';

it('takes the words for what was entered in error out of a resource, and puts a doubt behind others', () => {
  const name = (id: string) => ({ reference: `Condition/${id}`, display: id });
  const build = (...references: object[]) => ({
    resourceType: 'Encounter',
    diagnosis: references.map((condition) => ({ condition, rank: 1 })),
  });
  const resource = build(name('error'), name('refuted'), name('sure'));
  const named = listMentions(resource).flatMap(({ named: pointer, target }) =>
    pointer && target ? [{ pointer, target }] : [],
  );
  const objections = new Map([
    ['Condition/error', 'entered-in-error'],
    ['Condition/refuted', 'refuted'],
  ]);
  assert.deepEqual(
    qualifyNames(resource, named, objections),
    build(
      { reference: 'Condition/error' },
      { reference: 'Condition/refuted', display: 'refuted (refuted)' },
      name('sure'),
    ),
  );
  assert.deepEqual(resource, build(name('error'), name('refuted'), name('sure')));
});
