import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameDocuments, replaceDocumentPaths } from './document-names.ts';

const listNames = (...paths: string[]): string[] => {
  const names = nameDocuments(paths);
  return paths.map((path) => names.get(path) ?? '');
};

describe('the name of a document', () => {
  it('is the last segment of its path', () => {
    assert.deepEqual(listNames('upload/letters/urine.xml', 'upload/letters/urine.xml'), [
      'urine.xml',
      'urine.xml',
    ]);
    assert.deepEqual(listNames('document 3f2a9c'), ['document 3f2a9c']);
  });

  it('is shortened in the middle', () => {
    const [name = ''] = listNames('zip/Darrel772_Davis923_4b86befa-fa7e-9285-615f-e081dab3f93c.json');
    assert.equal(name, 'Darrel772_Davis923_4b86b…81dab3f93c.json');
    assert.ok(name.length <= 40);
  });

  it('has the nearest folder by which it differs from others that are called so', () => {
    assert.deepEqual(listNames('hospital-a/DOC0001.json', 'hospital-b/DOC0001.json', 'a/other.json'), [
      'hospital-a/DOC0001.json',
      'hospital-b/DOC0001.json',
      'other.json',
    ]);
    assert.deepEqual(listNames('a.zip/IHE_XDM/SUBSET01/DOC0001.XML', 'b.zip/IHE_XDM/SUBSET01/DOC0001.XML'), [
      'a.zip/…/DOC0001.XML',
      'b.zip/…/DOC0001.XML',
    ]);
  });

  it('has a part of a hash where they differ in no folder', () => {
    for (const paths of [
      ['labs.json', 'hospital-a/labs.json'],
      ['a/b/x.json', 'a/c/x.json', 'd/b/x.json'],
      ['1', '2'].map((middle) => `zip/${'a'.repeat(30)}${middle}${'b'.repeat(30)}.json`),
      ['1', '2'].map((middle) => `${'a'.repeat(30)}${middle}${'b'.repeat(30)}/x.json`),
    ]) {
      const names = listNames(...paths);
      assert.equal(new Set(names).size, paths.length, names.join());
      assert.ok(names.every((name) => / \([0-9a-f]{6}\)$/.test(name) && name.length <= 50));
    }
  });

  it('stands in place of the path wherever a row names a source', () => {
    const [one, other] = ['up/a/x.json', 'up/b/x.json'].map((documentPath) => ({ documentPath }));
    const rows = [
      { ...one, matches: [{ ...other }], sources: null },
      { sources: [{ ...one }] },
      { hits: [{ entry: { ...other }, rivals: [{ ...one }] }] },
      { count: 1 },
    ];
    replaceDocumentPaths(rows);
    assert.deepEqual(rows, [
      { documentPath: 'a/x.json', matches: [{ documentPath: 'b/x.json' }], sources: null },
      { sources: [{ documentPath: 'a/x.json' }] },
      { hits: [{ entry: { documentPath: 'b/x.json' }, rivals: [{ documentPath: 'a/x.json' }] }] },
      { count: 1 },
    ]);
  });
});
