import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { wholeNumber } from './whole-number.ts';

describe('a whole number of a query', () => {
  const number = wholeNumber(0, 1000);

  it('is taken in decimal digits', () =>
    assert.deepEqual(
      ['0', '7', '007', '1000'].map((text) => number.parse(text)),
      [0, 7, 7, 1000],
    ));

  it('is refused in every other form that JavaScript takes for one', () => {
    for (const text of [
      '',
      ' ',
      ' 1',
      '1 ',
      '+1',
      '0x10',
      '0b1',
      '1e2',
      '1.0',
      '1_0',
      'Infinity',
      '٣',
      [],
      null,
    ])
      assert.equal(number.safeParse(text).error?.issues[0]?.message, 'must be a whole number', String(text));
  });

  it('is what every number of a query of /v1 is', () => {
    const takers = ENDPOINTS.filter(({ path }) => path.startsWith('/v1/')).flatMap(({ name, query }) => {
      const { properties = {} } = query ? z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) : {};
      return Object.entries(properties)
        .filter(([, schema]) => typeof schema === 'object' && /integer|number/.test(String(schema.type)))
        .map(([parameter]) => ({ name, query, parameter }));
    });
    assert.ok(takers.length > 10);
    for (const { name, query, parameter } of takers) {
      const faults = query?.safeParse({ [parameter]: '1e1' }).error?.issues ?? [];
      assert.ok(
        faults.some(({ path }) => path[0] === parameter),
        `${name} ${parameter}`,
      );
    }
  });

  it('is refused outside of its range, however many digits it has', () => {
    for (const text of ['-1', '1001', '9007199254740993', '9'.repeat(400)])
      assert.equal(number.safeParse(text).success, false);
  });

  it('is not called no whole number there', () => {
    for (const text of ['-1', '1001'])
      assert.doesNotMatch(String(number.safeParse(text).error?.issues[0]?.message), /whole number/);
  });
});
