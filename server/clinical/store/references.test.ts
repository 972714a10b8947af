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
    ['Encounter?_id=x&identifier=u|1', ['Encounter|u|1']],
    ['Encounter?identifier:of-type=s|MR|1', ['Encounter|1']],
    ['Encounter?identifier=', []],
    ['Encounter?status=planned', []],
  ] as const)
    it(`means nothing as ${search}, but what that names is known`, () => {
      assert.equal(parseReference(search, null), null);
      assert.deepEqual(listSearchedNames(search), names);
    });
});
