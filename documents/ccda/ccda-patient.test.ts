import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCcdaDocument } from '../../test/harness/ccda-document.ts';
import { readCcdaPatient } from './ccda-patient.ts';

const read = (xml: string): unknown => readCcdaPatient(Buffer.from(xml));
const names = (xml: string): unknown => (read(xml) as { name?: unknown } | null)?.name ?? null;
const ADA = [{ given: ['Ada'], family: 'Lovelace' }];

describe('the patient of a C-CDA that is read from its header', () => {
  const xml = buildCcdaDocument({ sections: '<section><title>x</title></section>' });

  it('is the one that the converter makes, with the namespaces of the root and without', () => {
    assert.deepEqual(names(xml), ADA);
    assert.deepEqual(
      names(xml.replaceAll(/(<\/?)(?=[A-Za-z])/g, '$1n1:').replace('xmlns=', 'xmlns:n1=')),
      ADA,
    );
    const part = /<recordTarget>[^]*<\/recordTarget>/.exec(xml)?.[0] ?? '';
    assert.deepEqual(names(part), ADA);
  });

  it('is nobody where the header names none or is damaged', () => {
    for (const other of [
      xml.replace(/<recordTarget>[^]*<\/recordTarget>/, ''),
      xml.replace('</patientRole>', ''),
      xml.slice(0, xml.indexOf('<given>')),
      '<x',
      '',
    ])
      assert.equal(read(other), null, other);
  });
});
