import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseUploadedResource } from '../../server/clinical/ingest/readers/fhir-resource.ts';
import { readZipFiles } from '../data/sample-data.ts';
import { DocumentError } from '../../documents/converter.ts';
import { createDocumentProcessPool } from '../../documents/sandbox/document-process-pool.ts';

/** Published documents beside the repository; without them these tests are skipped. */
const DATA = join(import.meta.dirname, '../../../shared/data');
const skip = existsSync(DATA) ? false : 'there is no ../shared/data beside the repository';

/** What is not read of each archive, and why. */
const NOT_READ: Readonly<Record<string, readonly string[]>> = {
  '05-isabella-jones-many-sources.zip': [
    'hl7-05-isabella_jones_lipid_panel.txt unsupported_kind',
    'hl7-06-isabella_jones_multiple_tests.txt unsupported_kind',
  ],
  'fhir-test-cases.zip': [
    'list-bad-syntax.xml not_xml',
    'list-wrong-ns.xml unsupported_kind',
    'list-xhtml-xxe1.xml doctype_refused',
  ],
};

describe('published documents', { skip }, () => {
  const processes = createDocumentProcessPool();
  after(() => processes.close());

  for (const archive of globSync('{archives,ccda,docs,edge}/*.zip', { cwd: DATA }).sort()) {
    it(`are read from ${basename(archive)}, except those that are listed here`, async () => {
      const notRead: string[] = [];
      for (const { path, bytes } of await readZipFiles(join(DATA, archive))) {
        if (/\.(json|ndjson)$/.test(path)) continue;
        try {
          const documentId = '11111111-1111-8111-8111-111111111111';
          const { resources } = await processes.convert({ bytes, path, documentId });
          for (const { text, position } of resources) {
            for (const finding of parseUploadedResource({ path, position, fullUrl: null }, Buffer.from(text)))
              if ('rejection' in finding)
                notRead.push(`${basename(path)}#${position} ${finding.rejection.code}`);
          }
        } catch (error) {
          if (!(error instanceof DocumentError)) throw error;
          notRead.push(`${basename(path)} ${error.code}`);
        }
      }
      assert.deepEqual(notRead.sort(), NOT_READ[basename(archive)] ?? []);
    });
  }

  it('give their text inside of resources: the base64 of GZIP of a C-CDA in archive 02', async () => {
    const files = await readZipFiles(join(DATA, 'archives/02-ccda-pdf-fhir-same-patient.zip'));
    const bundle = files.find(({ path }) => path.endsWith('.json'))?.bytes.toString() ?? '';
    const packed = [...bundle.matchAll(/"data"\s*:\s*"(H4sI[^"]+)"/g)].map(([, data]) => data as string);
    assert.ok(packed.length > 0);
    for (const data of packed) {
      const text = (await processes.extractText(Buffer.from(data, 'base64')))?.text;
      assert.ok(typeof text === 'string' && text.length > 1000, `${text?.length}`);
    }
  });
});
