import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasUnquotedId, listSearchedNames, parseReference, replaceId } from './references.ts';

describe('the id of a resource', () => {
  for (const [body, replaced] of [
    ['{"id":"a","code":{"id":"b"}}', '{"id":"new","code":{"id":"b"}}'],
    ['{"text":{"id":"x"}, "id" : "a" }', '{"text":{"id":"x"}, "id" : "new" }'],
    ['{"id":null,"status":"final"}', '{"id":"new","status":"final"}'],
    ['{"id":5}', '{"id":"new"}'],
    ['{"id":["a",{"id":"}"}],"x":1}', '{"id":"new","x":1}'],
    ['{"id":{"a":[1,2]},"x":1}', '{"id":"new","x":1}'],
    ['{"kind":"id","x":1}', '{"id":"new","kind":"id","x":1}'],
    ['{}', '{"id":"new"}'],
  ] as const)
    it(`is replaced in ${body}`, () => assert.equal(replaceId(body, 'new'), replaced));

  for (const [body, isUnquoted] of [
    ['{"id":5}', true],
    ['{"code":{"id":"b"},"id" : -5.0}', true],
    ['{"id":"5","code":{"id":5}}', false],
    ['{"code":"\\"id\\":5","id":"5"}', false],
  ] as const)
    it(`is ${isUnquoted ? 'a number' : 'none'} in ${body}`, () =>
      assert.equal(hasUnquotedId(body), isUnquoted));
});

describe('a conditional reference', () => {
  const NPI = 'http://hl7.org/fhir/sid/us-npi';
  for (const [search, name] of [
    [`Practitioner?identifier=${NPI}|99`, `Practitioner|${NPI}|99`],
    [`Practitioner?identifier=${encodeURIComponent(`${NPI}|99`)}`, `Practitioner|${NPI}|99`],
    ['Encounter?identifier=77', 'Encounter|77'],
    ['Encounter?identifier=|77', 'Encounter||77'],
    [String.raw`Encounter?identifier=urn:v|7\,7`, 'Encounter|urn:v|7,7'],
    [String.raw`Encounter?identifier=urn:v|a\b`, String.raw`Encounter|urn:v|a\b`],
  ] as const)
    it(`means what has the identifier of ${search}`, () => {
      assert.deepEqual(parseReference(search, null), { form: 'identifier', name });
      assert.deepEqual(listSearchedNames(search), [name]);
    });

  for (const [search, names] of [
    ['Encounter?identifier=u|1&identifier=u|2', ['Encounter|u|1', 'Encounter|u|2']],
    ['Encounter?identifier=u|1,u|2', ['Encounter|u|1', 'Encounter|u|2', 'Encounter|u|1,u|2']],
    ['Encounter?identifier=u%7C1%2Cu%7C2', ['Encounter|u|1', 'Encounter|u|2', 'Encounter|u|1,u|2']],
    ['Encounter?identifier=u|1&status=planned', ['Encounter|u|1']],
    ['Encounter?_id=x&identifier=u|1', ['Encounter?_id=x', 'Encounter|u|1']],
    ['Encounter?_id=x&status=finished', ['Encounter?_id=x']],
    ['https://ehr.example/fhir/Encounter?status=finished&%5Fid=x', ['Encounter?_id=x']],
    ['/Encounter?_id=x,y', ['Encounter?_id=x', 'Encounter?_id=y', 'Encounter?_id=x,y']],
    ['https://ehr.example/fhir/Encounter?identifier=u|1', ['Encounter|u|1']],
    ['Encounter?identifier:of-type=s|MR|1', ['Encounter|1']],
    ['Encounter?identifier=', []],
    ['Encounter?status=planned', []],
  ] as const)
    it(`means nothing as ${search}, but what that names is known`, () => {
      assert.equal(parseReference(search, null), null);
      assert.deepEqual(listSearchedNames(search), names);
    });
});

describe('a reference by an id', () => {
  const own = { form: 'id', type: 'Encounter', id: 'v', origin: 'https://own.example' };
  for (const reference of [
    'Encounter/v',
    'Encounter/v/_history/2',
    '/Encounter/v',
    ' Encounter/v ',
    'Encounter/v/',
    'Encounter/v#x',
    'Encounter/v/_history/2#x',
    'Encounter/v?_format=json',
    'Encounter%2Fv',
    'Encounter?_id=v',
    '/Encounter?_id=v',
    'Encounter?_id=v#x',
    'Encounter?%5Fid=%76',
    'Encounter?_id= v',
    'Encounter?_id=v%20',
    'Encounter/v|1',
    'Encounter/v%20',
    'Encounter%3F_id=v',
    `Encounter/v?${'a'.repeat(2100)}`,
  ])
    it(`means the same as ${reference}`, () => assert.deepEqual(parseReference(reference, own.origin), own));

  const other = { ...own, origin: 'https://ehr.example/fhir' };
  for (const path of [
    'Encounter/v',
    'Encounter/v/_history/2',
    'Encounter/v#x',
    'Encounter?_id=v',
    'Encounter/v/',
  ])
    it(`is of the server that ${path} is behind`, () =>
      assert.deepEqual(parseReference(`https://ehr.example/fhir/${path}`, own.origin), other));

  it('is of a server in whatever case its scheme is written', () => {
    assert.deepEqual(parseReference('HTTPS://ehr.example/fhir/Encounter/v', own.origin), other);
    assert.deepEqual(parseReference('URN:UUID:A', null), { form: 'name', name: 'urn:uuid:a' });
  });

  for (const reference of [
    '#v',
    'Encounter',
    'Encounter/',
    'encounter/v',
    'Encounter?_id=',
    'Encounter?_id:not=v',
  ])
    it(`is not ${reference}`, () => assert.equal(parseReference(reference, own.origin), null));
});
