import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { removeContact } from './remove-contact.ts';

describe('removeContact', () => {
  it('removes telephone, address, contacts and narrative, with the extensions of primitives', () => {
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

  it('removes extensions with an address at any depth, and what is empty then', () => {
    const addressExtension = { url: 'u', valueAddress: { city: 'SECRET' } };
    const body = JSON.stringify({
      extension: [addressExtension],
      _birthDate: {
        extension: [
          { url: 'kept', valueDateTime: '1970' },
          { url: 'u', valueContactPoint: { value: 'SECRET' } },
        ],
      },
      name: [
        {
          family: 'Nowak',
          extension: [
            { url: 'v', extension: [addressExtension, { url: 'w', valueContactDetail: { name: 'SECRET' } }] },
          ],
        },
      ],
    });
    assert.deepEqual(JSON.parse(removeContact(body)), {
      _birthDate: { extension: [{ url: 'kept', valueDateTime: '1970' }] },
      name: [{ family: 'Nowak' }],
    });
  });

  it('case 541: keeps what is valid FHIR: extensions with a value, positions, and what is contained as long as it is referred to', () => {
    const phone = { url: 'urn:phone', valueContactPoint: { value: 'SECRET' } };
    const since = { url: 'urn:since', valueDateTime: '1970' };
    const secret = { telecom: [{ value: 'SECRET' }], text: { div: 'SECRET' } };
    const organization = { resourceType: 'Organization', name: 'Clinic' };
    const body = JSON.stringify({
      resourceType: 'Patient',
      contained: [
        { ...organization, id: 'clinic', ...secret, partOf: { reference: '#group' } },
        { ...organization, id: 'employer', name: 'SECRET' },
        { ...organization, id: 'group', address: [{ city: 'SECRET' }] },
      ],
      extension: [
        { url: 'urn:several', extension: [phone] },
        { url: 'urn:author', valueContributor: { name: 'n', contact: [{ telecom: [{ value: 'SECRET' }] }] } },
        { url: 'urn:call', valueUrl: 'tel:+15550100' },
        { url: 'urn:mixed', extension: [phone, since] },
      ],
      name: [{ given: ['Ann', 'Lee'], _given: [{ extension: [phone] }, { extension: [since] }] }],
      _gender: { id: 'g', extension: [phone] },
      photo: [{ url: 'urn:photo', extension: [phone] }],
      contact: [{ organization: { reference: '#employer' } }],
      managingOrganization: { reference: '#clinic' },
    });
    assert.deepEqual(JSON.parse(removeContact(body)), {
      resourceType: 'Patient',
      extension: [{ url: 'urn:mixed', extension: [since] }],
      name: [{ given: ['Ann', 'Lee'], _given: [null, { extension: [since] }] }],
      photo: [{ url: 'urn:photo' }],
      managingOrganization: { reference: '#clinic' },
      contained: [
        { ...organization, id: 'clinic', partOf: { reference: '#group' } },
        { ...organization, id: 'group' },
      ],
    });
  });

  it('case 552: removes the words of extensions that nobody knows, and keeps what is published to say something else', () => {
    const FHIR = 'http://hl7.org/fhir/StructureDefinition';
    const note = { url: 'urn:note', valueString: 'SECRET' };
    const race = (...more: object[]): object => ({
      url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race',
      extension: [{ url: 'text', valueString: 'White' }, ...more],
    });
    const kept = [
      { url: `${FHIR}/patient-mothersMaidenName`, valueString: 'Nowak' },
      { url: 'http://fhir.org/guides/argonaut/StructureDefinition/argo-race|1.0', valueString: 'White' },
      { url: 'urn:coded', valueCodeableConcept: { text: 'Female' } },
      { url: 'urn:since', valueDateTime: '1970' },
    ];
    const ownName = { url: `${FHIR}/humanname-own-name`, valueString: 'Nowak' };
    const whole = {
      resourceType: 'Patient',
      extension: [
        note,
        { url: 'https://ehr.example/fhir/neighbour', valueMarkdown: 'SECRET' },
        { url: `https://ehr.example/${FHIR}/patient-religion`, valueString: 'SECRET' },
        { url: 'text', valueString: 'SECRET' },
        { url: 'urn:remark', valueAnnotation: { text: 'SECRET' } },
        { url: 'urn:several', extension: [{ url: 'text', valueString: 'SECRET' }] },
        race(note),
        ...kept,
      ],
      name: [{ family: 'Nowak', _family: { extension: [ownName, note] } }],
      _birthDate: { extension: [{ url: `${FHIR}/originalText`, valueString: 'spring of 1970' }] },
    };
    assert.deepEqual(JSON.parse(removeContact(JSON.stringify({ ...whole, modifierExtension: [note] }))), {
      ...whole,
      extension: [race(), ...kept],
      name: [{ family: 'Nowak', _family: { extension: [ownName] } }],
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

  it('leaves a Patient without any of that unchanged', () => {
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
