import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { findUnknownNames } from './unknown-names.ts';

const Item = z.object({ email: z.string(), externalId: z.string().optional() }).meta({ id: 'NamedItem' });
const Body = z.object({
  projectIds: z.array(z.string()).nullable().optional(),
  dryRun: z.boolean().default(false),
  items: z.array(Item).optional(),
  scope: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('all') }),
      z.object({ type: z.literal('some'), projectIds: z.array(z.string()) }),
    ])
    .optional(),
  labels: z.record(z.string(), z.string()).optional(),
});

describe('names in a body that its type does not have', () => {
  for (const [body, path] of [
    [{ projectIDs: ['1'] }, 'projectIDs'],
    [{ project_ids: ['1'] }, 'project_ids'],
    [{ projectId: '1' }, 'projectId'],
    [{ dryrun: true }, 'dryrun'],
    [{ items: [{ email: 'a' }, { email: 'b', externalID: '1' }] }, 'items[1].externalID'],
    [{ scope: { type: 'some', projectsIds: [] } }, 'scope.projectsIds'],
  ] as const)
    it(`are found where they are nearly known: ${path}`, () =>
      assert.deepEqual(
        findUnknownNames(Body, body, false).map((fault) => fault.path),
        [path],
      ));

  it('are named with the name that is meant', () =>
    assert.equal(
      findUnknownNames(Body, { dry_run: true }, false)[0]?.message,
      'is no member of this body; "dryRun" is',
    ));

  it('are neither those that are known, nor others, nor keys that may be any', () =>
    assert.deepEqual(
      findUnknownNames(
        Body,
        {
          projectIds: null,
          dryRun: true,
          somethingElse: 1,
          ids: [],
          items: [{ email: 'a', constructor: 1 }],
          labels: { item: 'x', labels: 'y' },
        },
        false,
      ),
      [],
    ));

  it('are with every other name that is not known where a body has no other and is refused so', () => {
    const Change = Body.refine((change) => Object.keys(change).length > 1, 'must change something');
    const find = (body: object) => findUnknownNames(Change, body, false).map(({ path }) => path);
    assert.deepEqual(find({ foo: 1, bar: 2 }), ['foo', 'bar']);
    assert.deepEqual(find({}), []);
    assert.deepEqual(find({ foo: 1, dryRun: true }), [], 'refused for what it does change');
    assert.deepEqual(findUnknownNames(Body, { foo: 1 }, false), [], 'may be of a later version');
  });

  it('are with every other name that is not known in a closed body, at any depth, with what is known there', () =>
    assert.deepEqual(
      findUnknownNames(
        Body,
        {
          projectIds: null,
          active: true,
          projectIDs: [],
          items: [{ email: 'a', constructor: 1 }],
          scope: { type: 'some', projectIds: [], status: 'x' },
          labels: { item: 'x' },
        },
        true,
      ),
      [
        { path: 'active', message: 'is not known here; what is: projectIds, dryRun, items, scope, labels' },
        { path: 'projectIDs', message: 'is no member of this body; "projectIds" is' },
        { path: 'items[0].constructor', message: 'is not known here; what is: email, externalId' },
        { path: 'scope.status', message: 'is not known here; what is: type, projectIds' },
      ],
    ));
});
