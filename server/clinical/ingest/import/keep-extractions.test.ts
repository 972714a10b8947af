import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { keepExtractions } from './keep-extractions.ts';

describe('the documents attached to an upload', () => {
  it('are extracted once, those that cannot be read too', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'chartgate-test-texts-'));
    try {
      const asked: string[] = [];
      const extract = keepExtractions(async (document) => {
        asked.push(document.toString());
        return document.length > 1
          ? null
          : { text: document.toString(), isComplete: true, besides: ['é'], patients: [{ id: 1 }] };
      }, folder);
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await extract(Buffer.from('a')), {
          text: 'a',
          isComplete: true,
          besides: ['é'],
          patients: [{ id: 1 }],
        });
        assert.equal(await extract(Buffer.from('bb')), null);
      }
      assert.deepEqual(asked, ['a', 'bb']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
