import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toFileKind, splitPath } from './file-kind.ts';

describe('an original file', () => {
  it('is named as people call its media type', () => {
    const kinds: [contentType: string, kind: string][] = [
      ['application/pdf', 'pdf'],
      ['application/hl7-v3+xml', 'ccda'],
      ['application/fhir+xml', 'fhir'],
      ['x-application/hl7-v2+er7', 'message'],
      ['image/heic', 'picture'],
      ['application/dicom', 'scan'],
      ['application/gzip', 'packed'],
      ['application/x-7z-compressed', 'packed'],
      ['application/vnd.rar', 'packed'],
      ['application/xml', 'other'],
      ['application/octet-stream', 'other'],
    ];
    for (const [contentType, kind] of kinds) assert.equal(toFileKind(contentType), kind, contentType);
  });

  it('is shown apart from its folder', () => {
    assert.deepEqual(splitPath('portal.zip/2026/letter.pdf'), {
      name: 'letter.pdf',
      folder: 'portal.zip/2026',
    });
    assert.deepEqual(splitPath('letter.pdf'), { name: 'letter.pdf', folder: '' });
  });
});
