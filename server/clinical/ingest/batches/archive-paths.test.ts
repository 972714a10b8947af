import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nameByArchive } from './archive-paths.ts';

it('files of an archive that was chosen are named by it', () => {
  const paths = ['record.json', 'letters/a.pdf'];
  assert.deepEqual(nameByArchive([], 'rec.zip'), ['rec.zip']);
  assert.deepEqual(nameByArchive(paths, 'rec.ZIP'), ['rec.ZIP/record.json', 'rec.ZIP/letters/a.pdf']);
  assert.deepEqual(nameByArchive(['a'], 'C:\\Users\\re\u0000c.zip'), ['re\u{fffd}c.zip/a']);
});

it('files of an archive that the page made, or without a name, keep their own', () => {
  for (const name of ['documents.zip', undefined, '', '.zip', 'blob', `${'x'.repeat(252)}.zip`])
    assert.deepEqual(nameByArchive(['record.json'], name), ['record.json'], name);
});
