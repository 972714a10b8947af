import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSlice } from './bundle-entries.ts';

/** Larger than what is parsed at once to see whether it is a Bundle. */
const FILLING = 'x'.repeat(2_500_000);
const patient = (id: string, more = ''): string => `{"resourceType":"Patient","id":"${id}"${more}}`;
const entry = (resource: string): string => `{"resource":${resource}}`;
const filled = patient('filled', `,"x":"${FILLING}"`);

function read(json: string, bundles = 0): string[] {
  const spot = { path: 'a.ndjson', position: 'line 1', fullUrl: null };
  const slice = { key: '', index: -1, bytes: Buffer.from(json) };
  return [...readSlice(slice, spot, bundles)].map((finding) => {
    if ('rejection' in finding) return `${finding.rejection.path}! ${finding.rejection.code}`;
    assert.ok('found' in finding);
    return `${finding.found.position} ${String(finding.found.resource.id)}`;
  });
}

describe('a large Bundle on a line or in another Bundle', () => {
  it('is cut into its entries, wherever its type is', () => {
    const entries = `"entry":[${entry(filled)},${entry(patient('2'))},7]`;
    for (const bundle of [
      `{"resourceType":"Bundle",${entries}}`,
      `{${entries},"type":"batch","resourceType":"Bundle"}`,
    ])
      assert.deepEqual(read(bundle), [
        'line 1.entry[0] filled',
        'line 1.entry[1] 2',
        'a.ndjson#line 1.entry[2]! not_fhir',
      ]);
  });

  it('keeps the entries before a syntax error, with a rejection', () => {
    assert.deepEqual(read(`{"resourceType":"Bundle","entry":[${entry(filled)},${entry(patient('2'))} !`), [
      'line 1.entry[0] filled',
      'line 1.entry[1] 2',
      'a.ndjson#line 1! not_json',
    ]);
  });

  it('is refused where a small Bundle is', () => {
    const bundle = `{"resourceType":"Bundle","type":"history","entry":[${entry(filled)}]}`;
    assert.deepEqual(read(bundle), ['a.ndjson#line 1! unsupported_bundle_type']);
    assert.deepEqual(read(bundle, 2), ['a.ndjson#line 1! nested_too_deep']);
  });
});

describe('Parameters with resources', () => {
  const parameters = (...list: string[]): string =>
    `{"resourceType":"Parameters","parameter":[${list.join()}]}`;
  const part = (resource: string): string => `{"name":"x","part":[{"name":"y","resource":${resource}}]}`;
  const bundle = (...entries: string[]): string =>
    `{"resourceType":"Bundle","type":"searchset","entry":[${entries.join()}]}`;

  it('are read as these are, in parts of parts and in Bundles', () => {
    assert.deepEqual(
      read(
        parameters(
          '{"name":"count","valueInteger":2}',
          `{"name":"return","resource":${bundle(entry(patient('1')), '7')}}`,
          part(patient('2')),
          `{"name":"x","part":[${part(patient('3'))}]}`,
          '{"name":"x","resource":{"resourceType":"Nothing"}}',
        ),
      ),
      [
        'line 1.parameter[1].entry[0] 1',
        'a.ndjson#line 1.parameter[1].entry[1]! not_fhir',
        'line 1.parameter[2].part[0] 2',
        'line 1.parameter[3].part[0].part[0] 3',
        'a.ndjson#line 1.parameter[4]! unknown_resource_type',
      ],
    );
    assert.deepEqual(read(bundle(entry(parameters(entry(patient('1')))))), [
      'line 1.entry[0].parameter[0] 1',
    ]);
  });

  it('are refused where a Bundle is, or where a member comes twice', () => {
    assert.deepEqual(read(parameters(entry(patient('1'))), 2), ['a.ndjson#line 1! nested_too_deep']);
    assert.deepEqual(read(parameters(`{"resource":${patient('1')},"resource":${patient('2')}}`)), [
      'a.ndjson#line 1.parameter[0]! repeated_member',
    ]);
  });

  it('are a resource of their own without any', () => {
    assert.deepEqual(read('{"resourceType":"Parameters","id":"p","parameter":[{"name":"x"}]}'), ['line 1 p']);
  });
});

describe('a resource of too many values', () => {
  it('is rejected unparsed, one below the limit is not', () => {
    const list = (length: number): string => patient('1', `,"x":[${'1,'.repeat(length)}1]`);
    assert.deepEqual(read(list(999_990)), ['line 1 1']);
    assert.deepEqual(read(list(1_000_001)), ['a.ndjson#line 1! too_many_values']);
  });

  it('costs the others of its Bundle nothing', () => {
    const many = patient('1', `,"x":[${'1,'.repeat(1_000_001)}1]`);
    assert.deepEqual(read(`{"resourceType":"Bundle","entry":[${entry(many)},${entry(patient('2'))}]}`), [
      'a.ndjson#line 1.entry[0]! too_many_values',
      'line 1.entry[1] 2',
    ]);
  });
});

describe('an entry about the search that a Bundle answers', () => {
  const outcome = '{"resourceType":"OperationOutcome","id":"o"}';
  const toBundle = (...entries: string[]): string =>
    `{"resourceType":"Bundle","type":"searchset","entry":[${entries.join()}]}`;
  const search = (mode: string): string => `"search":{"mode":"${mode}"}`;

  it('is left out with a note, wherever its mode stands, and a match is not', () => {
    const bundle = toBundle(
      `{${search('outcome')},"resource":${outcome}}`,
      `{"resource":${outcome},${search('outcome')}}`,
      `{"resource":${outcome},${search('match')}}`,
      `{"resource":${patient('1')},${search('outcome')}}`,
    );
    assert.deepEqual(read(bundle), [
      'a.ndjson#line 1.entry[0]! server_message',
      'a.ndjson#line 1.entry[1]! server_message',
      'line 1.entry[2] o',
      'line 1.entry[3] 1',
    ]);
  });
});
