import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { EVENT_TYPES } from '../../../../contract/webhooks/webhook-events.ts';
import { buildEventCatalogue } from './event-catalogue.ts';

describe('the catalogue of events', () => {
  it('lists every type', () => {
    assert.deepEqual(
      buildEventCatalogue().map(({ type }) => type),
      Object.keys(EVENT_TYPES),
    );
  });

  for (const { type, schema, example } of buildEventCatalogue()) {
    const accepts = (body: unknown): boolean => z.fromJSONSchema(schema).safeParse(body).success;

    it(`has an example of ${type} that its schema accepts, and a schema that accepts no other type`, () => {
      assert.ok(accepts(example));
      assert.ok(!accepts({ ...example, type: 'something.else' }));
      for (const field of Object.keys(example))
        assert.ok(!accepts({ ...example, [field]: undefined }), field);
      assert.ok(!accepts({ ...example, data: {} }));
    });

    it(`accepts a ${type} with unknown fields`, () => {
      assert.ok(accepts({ ...example, more: 1, data: { ...(example['data'] as object), more: 1 } }));
    });
  }
});
