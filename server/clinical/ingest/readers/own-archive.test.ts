import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOwnArchives, findOwnSign } from './own-archive.ts';

const README = `Your data\r\n=========\r\n\r\nThis archive holds everything.\r\n\r\nprofile.json   Who you are here`;
const TOKEN = ['{"alg":"ES256"}', '{"title":"A study"}', 'signature']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');
const BATCH = '0199d9a4-7c1b-7000-8000-0123456789ab';

const DOWNLOAD = {
  'README.txt': README,
  'profile.json': '{\n  "account": {\n "email": "a@b" },\n  "enrollments": []\n}\n',
  'record/Patient.ndjson': '{"resourceType":"Patient"}',
  [`documents/${BATCH}/README.txt`]: 'How to take the tablets.',
  [`documents/${BATCH}/scans/a.pdf`]: '%PDF-1.7',
  [`consents/${BATCH}.json`]: '{"title":"A study"}',
  [`consents/${BATCH}/receipt.jws`]: TOKEN,
  'access-log.ndjson': '{"at":"2026-01-01T00:00:00Z","action":"fhir.read"}\n',
};

/** `path: part`, in the order of the members. */
function judge(contents: Record<string, string>): string[] {
  const members = Object.entries(contents).map(([path, content]) => ({
    path,
    ownSign: findOwnSign(Buffer.from(content), path),
  }));
  const findOwn = createOwnArchives(members);
  return members.map(({ path }) => {
    const own = findOwn(path);
    return `${path}: ${own === null ? 'read' : own.part === 'document' ? own.documentPath : 'beside'}`;
  });
}

const moveInto = (folder: string, contents: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(contents).map(([path, content]) => [folder + path, content]));

const EXPECTED = [
  'README.txt: beside',
  'profile.json: beside',
  'record/Patient.ndjson: read',
  `documents/${BATCH}/README.txt: README.txt`,
  `documents/${BATCH}/scans/a.pdf: scans/a.pdf`,
  `consents/${BATCH}.json: beside`,
  `consents/${BATCH}/receipt.jws: beside`,
  'access-log.ndjson: beside',
];

describe('an archive that was made here', () => {
  it('has only its record read, wherever it lies', () => {
    for (const folder of ['', 'my data/', 'all.zip/', 'a/b.zip/'])
      assert.deepEqual(
        judge({
          ...moveInto(folder, DOWNLOAD),
          'other/README.txt': 'A note.',
          'z/consents/a.txt': 'A note.',
        }),
        [...EXPECTED.map((line) => folder + line), 'other/README.txt: read', 'z/consents/a.txt: read'],
      );
  });

  it('is known without its explanation, or by a renamed one alone', () => {
    const { 'README.txt': readme, ...rest } = DOWNLOAD;
    assert.deepEqual(judge(rest), EXPECTED.slice(1));
    assert.deepEqual(judge({ 'read (1).txt': readme }), ['read (1).txt: beside']);
  });

  it('is left out whole where it is the evidence of a decision', () => {
    const evidence = { 'receipt.jws': TOKEN, 'index.html': '<p>A study</p>', 'screens/01.png': 'x' };
    assert.deepEqual(
      judge({ 'index.html': '<p>A note</p>', ...moveInto('e/', { ...evidence, 'manifest.jws': TOKEN }) }),
      [
        'index.html: read',
        'e/receipt.jws: beside',
        'e/index.html: beside',
        'e/screens/01.png: beside',
        'e/manifest.jws: beside',
      ],
    );
  });

  it('is not what only has its names', () => {
    const names = Object.fromEntries(Object.keys(DOWNLOAD).map((path) => [path, 'A note of the visit.']));
    for (const line of judge(names)) assert.match(line, /: read$/);
  });
});
