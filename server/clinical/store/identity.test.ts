import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findReferenced, getSourceIdentity, isUniqueId } from './identity.ts';

const identify = (fullUrl: string | null, from: string) =>
  getSourceIdentity(
    { text: '{}', resource: { resourceType: 'Observation', id: '1' }, fullUrl, position: '' },
    from,
  ).origin;

describe('the origin of a resource', () => {
  it('is the server that it was fetched from, whatever its fullUrl names', () => {
    assert.equal(
      identify('https://b.example/fhir/Observation/1', 'https://a.example/fhir'),
      'https://a.example/fhir',
    );
    assert.equal(identify(null, 'https://a.example/fhir'), 'https://a.example/fhir');
  });

  it('is the server that its fullUrl names in an upload, if any', () => {
    assert.equal(identify('https://b.example/fhir/Observation/1', ''), 'https://b.example/fhir');
    assert.equal(identify('https://b.example/fhir/Observation/2', ''), '');
    assert.equal(identify('urn:uuid:11111111-1111-4111-8111-111111111111', ''), '');
  });
});

describe('an id', () => {
  it('is nobody else’s where it is long and random', () => {
    for (const id of [
      '4b86befa-fa7e-9285-615f-e081dab3f93c',
      '507f1f77bcf86cd799439011',
      'erXuFYUfucBZaryVksYEcMg3',
      'eq081-VQEgP8drUUqCWzHfw3',
      `sha256-${'0'.repeat(40)}`,
    ])
      assert.ok(isUniqueId(id), id);
  });

  it('may be given by two systems where people or counters make it', () => {
    for (const id of [
      '1',
      'example',
      'blood-pressure-example-2',
      'Observation-000000000001',
      '000000000000000000000000000001',
      'Patient-Example-2024-01-05',
      'L-128934712',
    ])
      assert.ok(!isUniqueId(id), id);
  });
});

describe('a reference', () => {
  const connected = new Set(['https://hospital.example']);
  const find = (from: string, origins: string[], id = '7') =>
    findReferenced(
      origins.map((origin) => ({ origin })),
      { origin: from, id },
      connected,
    )?.origin ?? null;

  it('leads to what is of the same origin', () => {
    assert.equal(find('', ['https://a.example', '']), '');
    assert.equal(find('https://a.example', ['', 'https://a.example']), 'https://a.example');
  });

  it('leads from a document that names no server to one that an upload named, and back', () => {
    assert.equal(find('', ['https://a.example']), 'https://a.example');
    assert.equal(find('https://a.example', ['']), '');
    assert.equal(find('https://a.example', ['https://b.example']), null);
  });

  it('leads from no upload to a connected server, nor back, unless nobody else gives the id', () => {
    const id = '4b86befa-fa7e-9285-615f-e081dab3f93c';
    assert.equal(find('', ['https://hospital.example']), null);
    assert.equal(find('https://hospital.example', ['']), null);
    assert.equal(find('', ['https://hospital.example'], id), 'https://hospital.example');
    assert.equal(find('https://hospital.example', [''], id), '');
  });

  it('leads to another unnamed system only by an id that nobody else gives', () => {
    assert.equal(find('urn:uuid:b', ['']), null);
    assert.equal(find('', ['urn:uuid:b']), null);
  });
});
