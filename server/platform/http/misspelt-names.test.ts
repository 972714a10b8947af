import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { findMisspelt } from './misspelt-names.ts';

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

describe('names in a body that are nearly known', () => {
  for (const [body, path] of [
    [{ projectIDs: ['1'] }, 'projectIDs'],
    [{ project_ids: ['1'] }, 'project_ids'],
    [{ projectId: '1' }, 'projectId'],
    [{ dryrun: true }, 'dryrun'],
    [{ items: [{ email: 'a' }, { email: 'b', externalID: '1' }] }, 'items[1].externalID'],
    [{ scope: { type: 'some', projectsIds: [] } }, 'scope.projectsIds'],
  ] as const)
    it(`are found: ${path}`, () =>
      assert.deepEqual(
        findMisspelt(Body, body).map((fault) => fault.path),
        [path],
      ));

  it('are named with the name that is meant', () =>
    assert.equal(
      findMisspelt(Body, { dry_run: true })[0]?.message,
      'is no member of this body; "dryRun" is',
    ));

  it('are neither those that are known, nor others, nor keys that may be any', () =>
    assert.deepEqual(
      findMisspelt(Body, {
        projectIds: null,
        dryRun: true,
        somethingElse: 1,
        ids: [],
        items: [{ email: 'a', constructor: 1 }],
        labels: { item: 'x', labels: 'y' },
      }),
      [],
    ));
});
