import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { scanMember } from '../../../../test/harness/scan-member.ts';
import { readMember } from './read-member.ts';
import type { MemberItem } from './reader.ts';
import type { FoundResource } from '../../store/found-resource.ts';
import type { Member } from '../archive/member.ts';

function member(path: string, content: string | Buffer | (() => Iterable<Buffer>)): Member {
  const chunks = typeof content === 'function' ? content : () => [Buffer.from(content)];
  return { path, open: async () => Readable.from(chunks(), { objectMode: false }) };
}

async function* readScanned(one: Member): AsyncGenerator<MemberItem> {
  yield* readMember(one, await scanMember(one));
}

/** `position type/id` of what was found, `path! code` of what was not. */
async function read(path: string, content: string | Buffer | (() => Iterable<Buffer>)): Promise<string[]> {
  const lines: string[] = [];
  for await (const finding of readScanned(member(path, content))) {
    if ('rejection' in finding) lines.push(`${finding.rejection.path}! ${finding.rejection.code}`);
    else if ('original' in finding) lines.push(`kept: ${finding.original.contentType}`);
    else if ('labeled' in finding) lines.push(`labels: ${finding.labeled.position}`);
    else lines.push(`${finding.found.position} ${label(finding.found)}`.trim());
  }
  return lines;
}

/** Nothing of it was read, so the patient has it as it came. */
const KEPT = 'kept: application/json';

const label = ({ resource }: FoundResource): string => `${resource.resourceType}/${String(resource.id)}`;
const patient = (id: string): string => `{"resourceType":"Patient","id":"${id}"}`;

async function first(content: string): Promise<FoundResource> {
  for await (const finding of readScanned(member('a.json', content))) {
    assert('found' in finding, JSON.stringify(finding));
    return finding.found;
  }
  throw new Error('nothing found');
}

describe('the kind of a file', () => {
  it('is detected by its content, not by its name', async () => {
    assert.deepEqual(await read('a.txt', patient('1')), ['Patient/1']);
    assert.deepEqual(await read('a.json', `${patient('1')}\n${patient('2')}`), [
      'line 1 Patient/1',
      'line 2 Patient/2',
    ]);
    assert.deepEqual(await read('a.ndjson', JSON.stringify({ resourceType: 'Patient', id: '1' }, null, 2)), [
      'Patient/1',
    ]);
    assert.deepEqual(await read('a.ndjson', '{ "resourceType": "Patient",\n "id": "1" }'), ['Patient/1']);
    assert.deepEqual(await read('a.ndjson', patient('1')), ['line 1 Patient/1']);
  });

  it('is unknown for other files, which are stored as documents', async () => {
    for (const [content, type] of [
      ['<xml/>', 'application/xml'],
      ['%PDF-1.7', 'application/pdf'],
      ['Dear colleague', 'text/plain'],
      ['{\\rtf1 }', 'application/rtf'],
      ['"text"', 'application/json'],
    ] as const) {
      const kept = [`kept: ${type}`, 'a.json! unsupported_kind'];
      assert.deepEqual(await read('a.json', content), kept, content);
    }
    assert.deepEqual(await read('a.dat', '[1, 2]'), ['kept: application/json', 'a.dat! unsupported_kind']);
  });

  it('is not considered when it is empty', async () => {
    for (const content of ['', '\n', '\u{FEFF} \r\n\t', ' '.repeat(200_000), gzipSync('')]) {
      assert.deepEqual(await read('a.json', content), ['a.json! empty']);
    }
  });

  it('is an empty list, which is said', async () => {
    for (const list of ['[]', ' [\n] ']) assert.deepEqual(await read('a.json', list), ['a.json! empty_list']);
    assert.deepEqual(await read('a.json', '{"resourceType":"Bundle","type":"searchset","entry":[]}'), []);
  });

  it('is a list without entries when an empty file is named so', async () => {
    for (const name of ['a.ndjson', 'a.jsonl', 'a.ndjson.gz']) assert.deepEqual(await read(name, '\n'), []);
  });

  it('is detected inside of gzip', async () => {
    assert.deepEqual(await read('a.json.gz', gzipSync(patient('1'))), ['Patient/1']);
    assert.deepEqual(await read('a.ndjson.gz', gzipSync(`${patient('1')}\n{}\n`)), [
      'line 1 Patient/1',
      'a.ndjson.gz#line 2! not_fhir',
    ]);
    assert.deepEqual(await read('a.gz', gzipSync(patient('1')).subarray(0, 30)), ['a.gz! damaged']);
    assert.deepEqual(await read('a.gz', gzipSync(Buffer.alloc(30 * 1024 * 1024))), ['a.gz! expands_too_far']);
  });
});

describe('FHIR JSON', () => {
  it('keeps the exact text and the digits of every number', async () => {
    const text =
      '{ "resourceType" : "Observation", "valueQuantity" : {"value" : 1.00, "big": 12345678901234567890, "e": [1E-22] } }';
    const found = await first(`\u{FEFF}\r\n${text}\n\n`);
    assert.equal(found.text, text);
    assert.deepEqual(found.resource['valueQuantity'], {
      value: '1.00',
      big: '12345678901234567890',
      e: ['1E-22'],
    });
    assert.equal(found.fullUrl, null);
    assert.equal(found.position, '');
  });

  it('reads Bundles with their keys in any order', async () => {
    const entries = `"entry":[{"resource":${patient('1')},"fullUrl":"urn:uuid:1"},{"fullUrl":"x","resource":${patient('2')}}]`;
    for (const bundle of [
      `{"resourceType":"Bundle","type":"collection",${entries}}`,
      `{${entries},"type":"collection","resourceType":"Bundle"}`,
      `{"resourceType":"Bundle",${entries}}`,
    ]) {
      assert.deepEqual(await read('a.json', bundle), ['entry[0] Patient/1', 'entry[1] Patient/2']);
      assert.equal((await first(bundle)).fullUrl, 'urn:uuid:1');
    }
  });

  it('reads a List, which has entries too, as one resource', async () => {
    assert.deepEqual(
      await read('a.json', '{"entry":[{"item":{"reference":"Patient/1"}}],"id":"l","resourceType":"List"}'),
      ['List/l'],
    );
  });

  it('reads resources that follow each other over several lines each, or on lines that end with CR alone', async () => {
    const printed = ['1', '2', '3'].map((id) => JSON.stringify(JSON.parse(patient(id)), null, 2));
    for (const name of ['a.ndjson', 'a.json'])
      for (const text of [
        printed.join('\n'),
        `\u{FEFF}${printed.join('\r\n').replaceAll(/\r?\n/g, '\r\n')}\r\n`,
        printed.join('\n').replaceAll('\n', '\r'),
        [patient('1'), patient('2'), patient('3')].join('\r'),
      ])
        assert.deepEqual(await read(name, text), ['[0] Patient/1', '[1] Patient/2', '[2] Patient/3'], text);
    assert.deepEqual(await read('a.ndjson', `${printed[0]}\n${printed[1]}\n]\n${printed[2]}`), [
      '[0] Patient/1',
      '[1] Patient/2',
      'a.ndjson! not_json',
    ]);
  });

  it('reads resources that follow each other in any order, also behind one that is larger than what the kind is said by', async () => {
    const large = JSON.stringify({ resourceType: 'Patient', id: '1', x: 'x'.repeat(70_000) }, null, 2);
    const bundle = (type: string): string =>
      `{"resourceType":"Bundle","type":"${type}",\n"entry":[{"resource":${large}}]}`;
    const small = JSON.stringify(JSON.parse(patient('2')), null, 2);
    for (const name of ['a.json', 'a.ndjson', 'a.txt']) {
      assert.deepEqual(await read(name, `${small}\n${large}\n`), ['[0] Patient/2', '[1] Patient/1']);
      assert.deepEqual(await read(name, `${large}\n${small}\n`), ['[0] Patient/1', '[1] Patient/2']);
      assert.deepEqual(await read(name, `${bundle('batch')}\n${small}\n${small}`), [
        'entry[0] Patient/1',
        '[1] Patient/2',
        '[2] Patient/2',
      ]);
      assert.deepEqual(await read(name, `${bundle('history')}\n${small}`), [
        `${name}! unsupported_bundle_type`,
        '[1] Patient/2',
      ]);
      assert.deepEqual(await read(name, `${large.replace('resourceType', 'x')}\n${small}`), [
        `${name}! not_fhir`,
        '[1] Patient/2',
      ]);
      assert.deepEqual(await read(name, `${large}\n${small}\n]\n${small}`), [
        '[0] Patient/1',
        '[1] Patient/2',
        `${name}! not_json`,
      ]);
    }
  });

  it('does not read Bundles of events and versions as facts', async () => {
    for (const type of ['history', 'message', 'subscription-notification']) {
      const entry = `"entry":[{"resource":${patient('1')}}]`;
      assert.deepEqual(await read('a.json', `{"resourceType":"Bundle",${entry},"type":"${type}"}`), [
        'a.json! unsupported_bundle_type',
        KEPT,
      ]);
    }
  });

  it('skips entries with only a response, notes deletions, and rejects empty ones', async () => {
    const bundle = `{"resourceType":"Bundle","type":"transaction-response","entry":[{"response":{"status":"201"}},
      {"request":{"method":"DELETE","url":"Patient/1"}},{"fullUrl":"x"},7,{"resource":${patient('1')}}]}`;
    assert.deepEqual(await read('a.json', bundle), [
      'a.json#entry[1]! deletion_not_applied',
      'a.json#entry[2]! not_fhir',
      'a.json#entry[3]! not_fhir',
      'entry[4] Patient/1',
    ]);
  });

  it('opens a Bundle in a Bundle, one level deep', async () => {
    const inBundle = (resource: string): string =>
      `{"resourceType":"Bundle","entry":[{"resource":${resource}}]}`;
    assert.deepEqual(await read('a.json', inBundle(inBundle(patient('1')))), ['entry[0].entry[0] Patient/1']);
    assert.deepEqual(await read('a.json', inBundle(inBundle(inBundle(patient('1'))))), [
      'a.json#entry[0].entry[0]! nested_too_deep',
      KEPT,
    ]);
    assert.deepEqual(await read('a.json', `[${inBundle(patient('1'))},${patient('2')}]`), [
      '[0].entry[0] Patient/1',
      '[1] Patient/2',
    ]);
  });

  it('rejects what is not FHIR with its position', async () => {
    assert.deepEqual(await read('a.json', '{"a":1}'), ['a.json! not_fhir', KEPT]);
    assert.deepEqual(await read('a.json', '{"resourceType":"Patent"}'), [
      'a.json! unknown_resource_type',
      KEPT,
    ]);
    assert.deepEqual(await read('a.json', '{"resourceType":"constructor"}'), [
      'a.json! unknown_resource_type',
      KEPT,
    ]);
    assert.deepEqual(await read('a.json', `[{"resourceType":{}},null,${patient('1')}]`), [
      'a.json#[0]! not_fhir',
      'a.json#[1]! not_fhir',
      '[2] Patient/1',
    ]);
  });

  it('keeps the good entries of a broken file', async () => {
    const start = `{"resourceType":"Bundle","type":"batch","entry":[{"resource":${patient('1')}},`;
    assert.deepEqual(await read('a.json', start), ['entry[0] Patient/1', 'a.json! not_json']);
    assert.deepEqual(
      await read('a.json', `${start}{"resource":{"resourceType":"Patient",}},{"resource":${patient('3')}}]}`),
      ['entry[0] Patient/1', 'a.json#entry[1]! not_json', 'entry[2] Patient/3'],
    );
    assert.deepEqual(await read('a.json', `{"entry":[{"resource":${patient('1')}},{"resource"`), [
      'entry[0] Patient/1',
      'a.json! not_json',
    ]);
    for (const text of [
      '// note\n{"resourceType":"Patient"}',
      '{ resourceType: "Patient" }',
      `${patient('1')}]`,
    ]) {
      const [rejection, kept, ...more] = await read('a.json', text);
      assert.deepEqual([rejection, ...more], ['a.json! not_json'], text);
      assert.match(kept ?? '', /^kept: (?:text\/plain|application\/json)$/, text);
    }
  });

  it('reads a resource in windows-1252, and rejects one that is neither that nor UTF-8, and only that', async () => {
    const inBundle = (...ids: string[]): Buffer => {
      const entries = ids.map((id) => `{"resource":${patient(id)}}`);
      return Buffer.from(`{"resourceType":"Bundle","type":"batch","entry":[${entries.join()}]}`, 'latin1');
    };
    assert.deepEqual(await read('a.json', inBundle('Mu\xf1oz \x80', '2')), [
      'entry[0] Patient/Muñoz €',
      'entry[1] Patient/2',
    ]);
    for (const id of ['\xc3\xa9 \xe9', '\x81'])
      assert.deepEqual(await read('a.json', inBundle(id, '2')), [
        'a.json#entry[0]! not_utf8',
        'entry[1] Patient/2',
      ]);
  });

  it('keeps the words of an unsafe narrative wherever it occurs, and every other byte', async () => {
    const unsafe =
      '"\\u0064iv": "<div><scr\\u0069pt>x</scr\\u0069pt><b onclick=\'x()\'>Peanut &amp; egg</b><p>5 &lt; 6</p></div>"';
    const safe =
      '"div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\"><p>Peanut &amp; egg</p><p>5 &lt; 6</p></div>"';
    for (const holder of [
      (div: string) => `"text":{"status":"additional", ${div}}`,
      (div: string) => `"contained":[{"resourceType":"List","text":{${div}}}]`,
      (div: string) => `"section":[ {"text":{"status":"generated",${div} }} ]`,
    ]) {
      const wrap = (div: string): string =>
        `{"resourceType":"Composition","id":"c","n":1.00,"é":"ü", ${holder(div)}}`;
      assert.deepEqual(await read('a.json', wrap(unsafe)), ['Composition/c', 'a.json! unsafe_narrative']);
      assert.equal((await first(wrap(unsafe))).text, wrap(safe));
      assert.equal((await first(wrap(safe))).text, wrap(safe));
    }
    const { text } = await first('{"resourceType":"Basic","text":{"div":"<div><script>x</script></div>"}}');
    assert.match(text, /<p>–<\/p>/);
  });

  it('takes every other string as the text that it is', async () => {
    for (const word of [
      'BP <script> tag',
      'Platelets <iframe 50',
      'javascript: eval',
      '<img src=x onerror=x()>',
    ])
      assert.deepEqual(
        await read('a.json', JSON.stringify({ resourceType: 'Condition', id: 'c', code: { text: word } })),
        ['Condition/c'],
      );
  });

  it('rejects a resource with two members of one name, wherever they are, and no other', async () => {
    const twice = (more: string): string => `{"resourceType":"Patient","id":"2",${more}}`;
    for (const more of [
      '"code":{"text":"a"},"code":{"text":"b"}',
      '"code":{"text":"a","te\\u0078t":"b"}',
      '"id":"3"',
      '"resourceType":"Patient"',
      '"contained":[{"resourceType":"Basic","id":"c","id":"d"}]',
      '"extension":[{"url":"u","valueString":"a","valueString":"b"}]',
      '"parameter":[{"name":"p","resource":{"resourceType":"Basic","a":1,"a":2}}]',
    ]) {
      assert.deepEqual(await read('a.ndjson', `${patient('1')}\n${twice(more)}\n${patient('3')}`), [
        'line 1 Patient/1',
        'a.ndjson#line 2! repeated_member',
        'line 3 Patient/3',
      ]);
      const entries = [patient('1'), twice(more), patient('3')].map((resource) => `{"resource":${resource}}`);
      const bundle = `{"resourceType":"Bundle","type":"collection","entry":[${entries.join()}]}`;
      assert.deepEqual(await read('a.json', bundle), [
        'entry[0] Patient/1',
        'a.json#entry[1]! repeated_member',
        'entry[2] Patient/3',
      ]);
      assert.deepEqual(await read('a.ndjson', `${bundle}\n${patient('4')}`), [
        'line 1.entry[0] Patient/1',
        'a.ndjson#line 1.entry[1]! repeated_member',
        'line 1.entry[2] Patient/3',
        'line 2 Patient/4',
      ]);
    }
  });

  it('reports what a Bundle says twice', async () => {
    const bundle = (entry: string): string => `{"resourceType":"Bundle","type":"batch",${entry}}`;
    const resource = `"resource":${patient('1')}`;
    for (const twice of [
      `${resource},"resource":${patient('2')}`,
      `"fullUrl":"a",${resource},"fullUrl":"b"`,
      `${resource},"res\\u006furce":null`,
    ])
      assert.deepEqual(await read('a.json', bundle(`"entry":[{${twice}},{"resource":${patient('3')}}]`)), [
        'a.json#entry[0]! repeated_member',
        'entry[1] Patient/3',
      ]);
    const entries = `"entry":[{${resource}}],"entry":[{"resource":${patient('2')}}]`;
    assert.deepEqual(await read('a.json', bundle(entries)), [
      'entry[0] Patient/1',
      'entry[0] Patient/2',
      'a.json! repeated_member',
    ]);
    const inner = bundle(`"entry":[{"resource":${bundle(entries)}}]`);
    assert.deepEqual(await read('a.json', inner), [
      'entry[0].entry[0] Patient/1',
      'entry[0].entry[0] Patient/2',
      'a.json#entry[0]! repeated_member',
    ]);
  });

  it('is safe against __proto__ and depth', async () => {
    for (const member of ['"__proto__":{"polluted":true}', '"x":{"__proto__":1}', '"\\u005f_proto__":1'])
      assert.deepEqual(await read('a.json', `{"resourceType":"Patient",${member}}`), [
        'a.json! repeated_member',
        KEPT,
      ]);
    const deep = `{"resourceType":"Patient","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    assert.deepEqual(await read('a.json', deep), ['a.json! too_deep', 'kept: text/plain']);
    assert.deepEqual(await read('a.ndjson', `${patient('1')}\n${deep}\n${patient('3')}`), [
      'line 1 Patient/1',
      'a.ndjson#line 2! too_deep',
      'line 3 Patient/3',
    ]);
  });

  it('rejects a resource over 32 MiB and continues', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    function* content(): Generator<Buffer> {
      yield Buffer.from(
        '{"resourceType":"Bundle","type":"batch","entry":[{"resource":{"resourceType":"Binary","data":"',
      );
      for (let n = 0; n < 33; n += 1) yield megabyte;
      yield Buffer.from(`"}},{"resource":${patient('2')}}]}`);
    }
    assert.deepEqual(await read('a.json', content), [
      'a.json#entry[0]! resource_too_large',
      'entry[1] Patient/2',
    ]);
  });
});

describe('NDJSON', () => {
  it('loses only the bad line', async () => {
    const lines = [
      '\u{FEFF}' + patient('1'),
      '',
      '{"resourceType":"Patient"',
      ' \t',
      patient('5'),
      `${patient('6')}${patient('7')}`,
      '{"a":1}',
      '{"resourceType":"Nope"}',
      patient('9'),
    ];
    assert.deepEqual(await read('a.ndjson', lines.join('\r\n')), [
      'line 1 Patient/1',
      'a.ndjson#line 3! not_json',
      'line 5 Patient/5',
      'a.ndjson#line 6! not_json',
      'a.ndjson#line 7! not_fhir',
      'a.ndjson#line 8! unknown_resource_type',
      'line 9 Patient/9',
    ]);
  });

  it('loses only a first line that was cut off where a printed object would go on', async () => {
    for (const cut of [',', '{', '[', ',\r']) {
      const start = `\u{FEFF}{"resourceType":"Patient","x":1${cut === ',\r' ? '' : ',"y":'}`;
      for (const name of ['a.ndjson', 'a.json', 'a.ndjson.gz'])
        for (const more of [
          [patient('2'), patient('3')],
          [patient('2'), '{"resourceType":"Patient",', patient('4'), ''],
        ]) {
          const text = [start + cut, ...more].join('\n');
          const found = await read(name, name.endsWith('.gz') ? gzipSync(text) : text);
          assert.deepEqual(found.slice(0, 2), [`${name}#line 1! not_json`, 'line 2 Patient/2'], text);
          assert.equal(found.filter((line) => line.includes('Patient/')).length, 2, text);
        }
    }
    assert.deepEqual(await read('a.ndjson', `{"resourceType":"Patient",\n${patient('2')}\n`), [
      'a.ndjson#line 1! not_json',
      'line 2 Patient/2',
    ]);
    // What an object holds on lines of its own is no list.
    const printed = `{"resourceType":"Patient","id":"1","contained":[\n${patient('c')}\n]}`;
    assert.deepEqual(await read('a.ndjson', `${printed}\n${printed}\n${patient('3')}`), [
      '[0] Patient/1',
      '[1] Patient/1',
      '[2] Patient/3',
    ]);
  });

  it('is read the same wherever it is split', async () => {
    const bytes = Buffer.from(`${patient('1')}\r\n\r\n${patient('é')}\n{bad}\n${patient('4')}`);
    for (let at = 1; at < bytes.length; at += 1) {
      assert.deepEqual(await read('a.ndjson', () => [bytes.subarray(0, at), bytes.subarray(at)]), [
        'line 1 Patient/1',
        'line 3 Patient/é',
        'a.ndjson#line 4! not_json',
        'line 5 Patient/4',
      ]);
    }
  });

  it('lists a hundred rejections and counts the others', async () => {
    const lines = await read('log.ndjson', `${'{"level":"info"}\n'.repeat(257)}${patient('1')}\n`);
    assert.equal(lines.length, 102);
    assert.deepEqual(lines.slice(99), [
      'log.ndjson#line 100! not_fhir',
      'line 258 Patient/1',
      'log.ndjson! more_rejections',
    ]);
  });

  it('skips a line longer than a resource may be', async () => {
    function* content(): Generator<Buffer> {
      yield Buffer.from(`${patient('1')}\n{"resourceType":"Binary","data":"`);
      for (let n = 0; n < 33; n += 1) yield Buffer.alloc(1024 * 1024, 'x');
      yield Buffer.from(`"}\n${patient('3')}`);
    }
    assert.deepEqual(await read('a.ndjson', content), [
      'line 1 Patient/1',
      'a.ndjson#line 2! resource_too_large',
      'line 3 Patient/3',
    ]);
  });
});
