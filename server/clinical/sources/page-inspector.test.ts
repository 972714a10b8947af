import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SOURCE_LIMITS } from './limits.ts';
import { describePatient } from './own-patient.ts';
import type { ExpectedPatient } from './page-facts.ts';
import { createPageInspectors } from './page-inspector.ts';

const EXPECTED: ExpectedPatient = {
  type: 'Patient',
  own: describePatient('https://ehr.example/fhir', { id: 'a', aliases: [], resource: {} }),
  collect: false,
};

let folder: string;
before(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-test-'))));
after(() => fs.rmSync(folder, { recursive: true }));

/** A page that says which it is by its total. */
function writePage(total: number, entries = 0): string {
  const file = path.join(folder, `page-${total}.json`);
  const entry = Array.from({ length: entries }, () => ({ resource: { resourceType: 'Patient', id: 'a' } }));
  fs.writeFileSync(
    file,
    JSON.stringify({ resourceType: 'Bundle', type: 'searchset', total, link: [], entry }),
  );
  return file;
}

describe('the thread that reads pages', () => {
  it('goes on to the next sync, but not while it still reads a page of the one before', async () => {
    const inspectors = createPageInspectors(SOURCE_LIMITS);
    after(() => inspectors.stop());
    for (const total of [1, 2]) {
      await using inspector = inspectors.create();
      assert.equal((await inspector.inspect(writePage(total), EXPECTED)).total, total);
    }
    const left = inspectors.create();
    const reading = assert.rejects(left.inspect(writePage(3, 20_000), EXPECTED));
    await left[Symbol.asyncDispose]();
    await using inspector = inspectors.create();
    assert.equal((await inspector.inspect(writePage(4), EXPECTED)).total, 4);
    await reading;
  });
});
