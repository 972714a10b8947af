import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { z } from 'zod';
import type { EndpointDefinition } from '../../../contract/endpoint.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { buildAnswerShapes } from '../../../tools/answer-shapes.ts';
import { type AnswerShape, completeAnswer, createCompleter } from './complete-answer.ts';

const SHAPE: AnswerShape = {
  name: '',
  note: null,
  count: 0,
  contact: [{ email: '' }, 0],
  changes: [{ at: '', by: null }],
  limits: { days: 0, kinds: [''] },
};

const COMPLETE = {
  name: 'Riverside',
  note: 'x',
  count: 3,
  contact: { email: 'a@b.example' },
  changes: [{ at: 'now', by: 'me' }],
  limits: { days: 1, kinds: ['labs'] },
  more: 1,
};

describe('an answer of a node of the version before', () => {
  it('has what is missing as nothing, and all that it says as it says it', () => {
    assert.deepEqual(completeAnswer(SHAPE, { name: 'Riverside', changes: [{ at: 'now' }], more: 1 }), {
      name: 'Riverside',
      note: null,
      count: 0,
      contact: null,
      changes: [{ at: 'now', by: null }],
      limits: { days: 0, kinds: [] },
      more: 1,
    });
  });

  it('is the very same where nothing is missing, also where something is null or of another kind', () => {
    for (const answer of [COMPLETE, { ...COMPLETE, contact: null, limits: null, changes: 'none' }])
      assert.equal(completeAnswer(SHAPE, answer), answer);
  });

  it('stays as it is where the shapes cannot be loaded, and where it has none', async () => {
    const lost = createCompleter(async () => Promise.reject(new Error('gone')));
    assert.deepEqual(await lost('GET /x', {}), {});
    const complete = createCompleter(async () => ({ default: { 'GET /x': SHAPE } }));
    assert.deepEqual(await complete('GET /y', {}), {});
    assert.equal(((await complete('GET /x', {})) as { note: unknown }).note, null);
  });
});

describe('the shapes of what pages read', () => {
  const shapes = buildAnswerShapes(() => true);

  it('name each endpoint that answers an object, and make an answer without any field one that its schema accepts', () => {
    const read = ENDPOINTS.filter(({ method, path }) => shapes[`${method} ${path}`] !== undefined);
    assert.ok(read.length > 60, String(read.length));
    const refused = read.flatMap((endpoint: EndpointDefinition) => {
      const answer = completeAnswer(shapes[`GET ${endpoint.path}`] ?? null, {});
      const { error } = endpoint.response.safeParse(answer);
      return (error?.issues ?? []).filter(isMissing).map(({ path }) => `${endpoint.name} ${path.join('.')}`);
    });
    assert.deepEqual(refused, []);
  });

  /** Of a text, a number or one of several things, that it is there: which it would have been, nobody knows. */
  const isMissing = (issue: z.core.$ZodIssue): boolean =>
    issue.code === 'invalid_type' && issue.input === undefined;

  it('have the fields that were new when a node of the version before answered without them', () => {
    const complete = (path: string): unknown => completeAnswer(shapes[`GET ${path}`] ?? null, {});
    assert.deepEqual(
      (complete('/v1/organizations/{orgId}/webhooks/{webhookId}/stats') as { changes: unknown }).changes,
      [],
    );
    assert.equal((complete('/v1/organizations/{orgId}') as { accentColor: unknown }).accentColor, null);
  });
});
