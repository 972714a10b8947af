import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { nameSpoolFile } from '../../../../test/harness/import-record.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { readFacts } from './read-facts.ts';
import { createResourceSpool, type ResourceSpool, type SpooledResource } from './resource-spool.ts';

const TEXTS = [
  '{"resourceType":"Patient","id":"a"}',
  '{ "resourceType": "Basic",\r\n "id" : "é\u{1F600}", "text": "1.00 \\ud83d" }',
  `{"resourceType":"Binary","data":"${'QUJD'.repeat(700_000)}"}`,
  '{"resourceType":"Basic"}',
];

const toSpooled = (text: string): SpooledResource => ({
  text,
  facts: readFacts(
    { path: 'a.json', found: { text, resource: parseResource(text), fullUrl: null, position: '' } },
    '',
  ),
});

describe('the spool of an upload', () => {
  const fill = async (spool: ResourceSpool): Promise<SpooledResource[]> => {
    const resources = TEXTS.map(toSpooled);
    for (const resource of resources) await spool.append(resource);
    return resources;
  };

  it('gives resources back as they came, in their order, as often as it is asked', async () => {
    await using spool = await createResourceSpool(nameSpoolFile());
    const resources = await fill(spool);
    for (let time = 0; time < 2; time++) assert.deepEqual(await Array.fromAsync(spool.read()), resources);
  });

  it('is read in the middle of being filled, and on from there', async () => {
    await using spool = await createResourceSpool(nameSpoolFile());
    const first = await fill(spool);
    assert.equal((await Array.fromAsync(spool.read())).length, first.length);
    await spool.append(toSpooled('{"resourceType":"List"}'));
    assert.equal((await Array.fromAsync(spool.read())).at(-1)?.text, '{"resourceType":"List"}');
  });

  it('leaves nothing behind, and yields nothing where nothing was found', async () => {
    const file = nameSpoolFile();
    {
      await using spool = await createResourceSpool(file);
      assert.deepEqual(await Array.fromAsync(spool.read()), []);
      assert.ok(existsSync(file));
    }
    assert.ok(!existsSync(file));
  });
});
