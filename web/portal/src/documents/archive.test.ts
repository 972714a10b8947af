import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createArchive, deduplicateNames } from './archive.ts';

const file = (name: string, text = 'x'): File => new File([text], name);

describe('the files of an upload', () => {
  it('keep their names, and get a number where two are equal', () => {
    const named = deduplicateNames([
      file('a.pdf'),
      file('a.pdf'),
      file('letter'),
      file('letter'),
      file('a.pdf'),
    ]);
    assert.deepEqual(
      named.map(({ name }) => name),
      ['a.pdf', 'a (2).pdf', 'letter', 'letter (2)', 'a (3).pdf'],
    );
  });

  it('are sent as they are when they are one archive, else in one', async () => {
    const zip = file('from-the-portal.ZIP', 'PK');
    assert.deepEqual(await createArchive([zip]), { blob: zip, name: 'from-the-portal.ZIP' });
    const { blob, name } = await createArchive([file('a.txt'), zip]);
    assert.equal(name, 'documents.zip');
    assert.equal(Buffer.from(await blob.arrayBuffer()).toString('latin1', 0, 4), 'PK\x03\x04');
  });
});
