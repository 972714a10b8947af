import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { parse, parseQuery } from './serve.ts';
import { Refusal, type FieldError } from '../kernel/refusal.ts';

const Input = z.object({
  id: z.guid().optional(),
  name: z.string().min(1).max(3).optional(),
  code: z.string().length(2).optional(),
  digits: z.string().regex(/^\d+$/).optional(),
  email: z.email().optional(),
  limit: z.coerce.number().int().min(1).max(5).optional(),
  count: z.int().optional(),
  list: z.array(z.string()).min(1).max(1).optional(),
  kind: z.enum(['one', 'other']).optional(),
  only: z.literal('this').optional(),
  flag: z.boolean().optional(),
  scope: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('all') }),
      z.strictObject({ type: z.literal('some'), ids: z.array(z.string()) }),
    ])
    .optional(),
  own: z.string({ error: 'must be of our own' }).optional(),
});
const Required = z.object({ client_id: z.string(), kind: z.enum(['one', 'other']) });

function listFaults(type: z.ZodType, input: unknown): readonly FieldError[] {
  try {
    parse(type, input, '');
    return [];
  } catch (error) {
    return error instanceof Refusal ? error.errors : assert.fail(String(error));
  }
}

const fault = (type: z.ZodType, input: unknown): string =>
  listFaults(type, input)
    .map(({ path, message }) => `${path} ${message}`)
    .join('; ');

const WORDS_OF_ZOD = /expected |received |^Invalid|^Too |^Unrecognized|NaN|undefined|Infinity/;

describe('the description of a fault of input', () => {
  it('says once what two checks say of a value in the same words', () => {
    const type = z.object({
      zone: z
        .string()
        .regex(/^[a-z]+$/, 'must be a zone')
        .refine((text) => text === 'utc', 'must be a zone'),
    });
    assert.deepEqual(listFaults(type, { zone: '' }), [{ path: 'zone', message: 'must be a zone' }]);
  });

  it('says what is missing', () => {
    assert.equal(fault(Required, {}), 'client_id is missing; kind is missing; it must be one of one, other');
    assert.equal(fault(Input, { scope: {} }), 'scope.type is missing');
  });

  it('says what a value must be, and never what it is', () => {
    for (const [input, expected] of [
      [{ id: 'many' }, 'id must be a UUID'],
      [{ name: 7 }, 'name must be a string'],
      [{ name: '' }, 'name must not be empty'],
      [{ name: 'many' }, 'name must have at most 3 characters'],
      [{ code: 'm' }, 'code must have exactly 2 characters'],
      [{ digits: 'many' }, 'digits must match /^\\d+$/'],
      [{ email: 'many' }, 'email must be an e-mail address'],
      [{ limit: 'many' }, 'limit must be a number'],
      [{ limit: '1.5' }, 'limit must be a whole number'],
      [{ limit: 0 }, 'limit must be at least 1'],
      [{ limit: 6 }, 'limit must be at most 5'],
      [{ count: '1' }, 'count must be a number'],
      [{ list: [] }, 'list must not be empty'],
      [{ list: ['a', 'b'] }, 'list must have at most 1 item'],
      [{ list: {} }, 'list must be an array'],
      [{ kind: 'many' }, 'kind must be one of one, other'],
      [{ only: 'many' }, 'only must be this'],
      [{ flag: 'many' }, 'flag must be true or false'],
      [{ scope: { type: 'many' } }, 'scope.type has none of the forms that are taken here'],
      [{ scope: { type: 'all', many: 1 } }, 'scope has a member that is not known here: many'],
      [{ own: 1 }, 'own must be of our own'],
    ] as const)
      assert.equal(fault(Input, input), expected);
    assert.equal(fault(Input, null), ' must be an object');
  });

  it('is given of a query too, beside a parameter that is repeated', () => {
    assert.throws(
      () => parseQuery(Input, { limit: 'many', name: ['a', 'b'] }),
      ({ message }: Error) => message === 'name: may be given once; limit: must be a number',
    );
  });

  it('leaves no fault of any endpoint to the words of zod', () => {
    const values = [undefined, null, 'many', '', 7, 1e12, true, [], [null], ['', ''], {}, { type: 'many' }];
    for (const { name, query, body } of ENDPOINTS)
      for (const type of [query, body]) {
        if (type === undefined) continue;
        const members = type instanceof z.ZodObject ? Object.keys(type.shape) : [];
        for (const value of values)
          for (const input of [value, ...members.map((member) => ({ [member]: value }))])
            for (const { message } of listFaults(type, input))
              assert.doesNotMatch(message, WORDS_OF_ZOD, `${name} ${JSON.stringify(input)}`);
      }
  });
});
