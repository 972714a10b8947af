import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseBirthDate, removeContact } from './patient-body.ts';

describe('a Patient without addresses', () => {
  it('has neither telephone, address, kin nor narrative, nor what primitives among them hold', () => {
    const names = ['telecom', 'address', 'contact', 'text', 'contained'];
    const body = JSON.stringify({
      resourceType: 'Patient',
      ...Object.fromEntries(
        names.flatMap((name) => [
          [name, [{ a: 'SECRET' }]],
          [`_${name}`, [{ a: 'SECRET' }]],
        ]),
      ),
      birthDate: '1970',
    });
    assert.equal(removeContact(body), '{"resourceType":"Patient","birthDate":"1970"}');
  });

  it('has no extension that is a place, however deep, and no array that is left empty', () => {
    const place = { url: 'u', valueAddress: { city: 'SECRET' } };
    const body = JSON.stringify({
      extension: [place],
      _birthDate: {
        extension: [
          { url: 'kept', valueDateTime: '1970' },
          { url: 'u', valueContactPoint: { value: 'SECRET' } },
        ],
      },
      name: [
        {
          family: 'Nowak',
          extension: [{ url: 'v', extension: [place, { url: 'w', valueContactDetail: { name: 'SECRET' } }] }],
        },
      ],
    });
    assert.deepEqual(JSON.parse(removeContact(body)), {
      _birthDate: { extension: [{ url: 'kept', valueDateTime: '1970' }] },
      name: [{ family: 'Nowak', extension: [{ url: 'v' }] }],
    });
  });

  it('keeps every number as it was written, and every text', () => {
    const numbers = [
      '1.00',
      '1E-22',
      '1.000000000000000000E-245',
      '-0',
      '9007199254740993',
      '1e400',
      '66.899999999999991',
    ];
    for (const number of numbers)
      assert.equal(
        removeContact(`{ "a" : ${number} , "b" : [ ${number} ] }`),
        `{"a":${number},"b":[${number}]}`,
      );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.deepEqual(JSON.parse(removeContact(JSON.stringify({ name: text }))), {
          name: text.toWellFormed() === text ? text : JSON.parse(JSON.stringify(text)),
        });
      }),
    );
  });

  it('is the same as before where there was nothing of that', () => {
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom('id', 'name', '__proto__', 'constructor', 'link'),
          values: [fc.string(), fc.boolean(), fc.integer(), fc.constant(null)],
        }),
        (patient) => {
          const body = JSON.stringify(patient);
          fc.pre(!body.includes('[]'));
          assert.equal(removeContact(body), body);
        },
      ),
    );
  });
});

describe('a birth date', () => {
  it('is told as the Patient tells it, or not at all', () => {
    for (const birthDate of ['1970', '1970-04', '1970-04-01'])
      assert.equal(parseBirthDate(JSON.stringify({ birthDate })), birthDate);
    for (const birthDate of ['', '1.4.1970', '1970-04-01T00:00:00Z', null, ['1970'], {}])
      assert.equal(parseBirthDate(JSON.stringify({ birthDate })), null);
    assert.equal(parseBirthDate('{}'), null);
  });
});
