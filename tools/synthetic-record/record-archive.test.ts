import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { openPromise } from 'yauzl';
import { writeRecordArchive } from './record-archive.ts';

const plan = { seed: 5, years: 4, endsOn: '2026-11-20' };
let folder: string;

describe('a record archive', () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chartgate-record-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('holds one transaction Bundle with as many entries as were counted', async () => {
    const file = join(folder, 'record.zip');
    const written = await writeRecordArchive(plan, file);
    assert.equal(written.bytes, (await stat(file)).size);

    const entries = await readEntries(file);
    assert.deepEqual([...entries.keys()], ['fhir/record.json']);
    const bundle = JSON.parse(entries.get('fhir/record.json') ?? '');
    assert.equal(bundle.resourceType, 'Bundle');
    assert.equal(bundle.type, 'transaction');
    assert.equal(bundle.entry.length, written.resources);
    for (const { fullUrl, resource, request } of bundle.entry) {
      assert.equal(fullUrl, `urn:uuid:${resource.id}`);
      assert.deepEqual(request, { method: 'POST', url: resource.resourceType });
    }
  });

  it('carries decimals with their zeros', async () => {
    const file = join(folder, 'decimals.zip');
    await writeRecordArchive(plan, file);
    assert.match((await readEntries(file)).get('fhir/record.json') ?? '', /"value":\d+\.\d0,/);
  });

  it('is the same bytes for the same plan, in every time zone', async () => {
    const [first, second] = [join(folder, 'first.zip'), join(folder, 'second.zip')];
    const zone = process.env['TZ'];
    try {
      process.env['TZ'] = 'Pacific/Auckland';
      await writeRecordArchive(plan, first);
      process.env['TZ'] = 'America/Los_Angeles';
      await writeRecordArchive(plan, second);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
    assert.deepEqual(await readFile(first), await readFile(second));
  });

  it('leaves no file behind when it cannot be written', async () => {
    const missing = join(folder, 'missing', 'record.zip');
    await assert.rejects(writeRecordArchive(plan, missing), { code: 'ENOENT' });
    await assert.rejects(writeRecordArchive({ ...plan, years: -1 }, join(folder, 'never.zip')), RangeError);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes('never') || name.endsWith('.partial')),
      [],
    );
  });
});

async function readEntries(file: string): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  const zip = await openPromise(file);
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  }
  return entries;
}
