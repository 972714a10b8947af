import assert from 'node:assert/strict';
import { it } from 'node:test';
import { computeDigest } from '../../entries/attachment.ts';
import { buildEntries } from '../../entries/build-entries.ts';
import { holdsFhir } from './embedded-fhir.ts';

const FHIR = '{"resourceType":"Condition","code":{"text":"HIV"}}';

const attach = (contentType: string, text: string) => ({
  resourceType: 'DocumentReference',
  type: { text: 'Letter' },
  content: [{ attachment: { contentType, data: Buffer.from(text).toString('base64') } }],
});

const escape = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const isListed = (resource: object): boolean =>
  holdsFhir({ text: JSON.stringify(resource), resource, fullUrl: null, position: '' } as never);

it('lists FHIR in an attachment or a Binary, which is no note', () => {
  for (const contentType of ['application/fhir+json', 'application/json', 'text/plain']) {
    const resource = attach(contentType, `\n${FHIR}`);
    const [entry] = buildEntries(resource, { resolve: () => null });
    assert.ok(entry?.kind === 'note');
    const { text, unreadable } = entry.detail;
    assert.deepEqual([text, unreadable, isListed(resource)], [null, 'FHIR data', true], contentType);
  }
  const data = Buffer.from(`{"resourceType":"Bundle","entry":[{"resource":${FHIR}}]}`).toString('base64');
  assert.ok(isListed({ resourceType: 'Binary', contentType: 'application/fhir+json', data }));
  const letter = attach('text/plain', 'No FHIR, and no resourceType.');
  assert.ok(!isListed(letter));
  assert.match(JSON.stringify(buildEntries(letter, { resolve: () => null })), /No FHIR/);
});

it('leaves words that mention FHIR where they stand, and lists nothing', () => {
  const words =
    'The portal shows "resourceType": "Observation" and <Patient xmlns="http://hl7.org/fhir">. Well.';
  const digest = computeDigest(Buffer.from('%PDF-1.7'));
  for (const resource of [
    attach('text/plain', words),
    attach('text/plain', `[Signed] ${words}`),
    attach('application/pdf', '%PDF-1.7'),
    { resourceType: 'DiagnosticReport', code: { text: 'Report' }, conclusion: words },
    { resourceType: 'DiagnosticReport', code: { text: 'Report' }, conclusion: `{ ${words} }` },
    {
      resourceType: 'Composition',
      title: 'Letter',
      section: [{ title: 'Plan', text: { status: 'additional', div: `<div><p>${escape(words)}</p></div>` } }],
    },
  ]) {
    const entries = buildEntries(resource, {
      resolve: () => null,
      getDocumentText: (asked) => (asked === digest ? words : null),
    });
    const text = entries.map(({ detail }) => ('text' in detail ? detail.text : null)).join('');
    assert.match(text, /The portal shows "resourceType": "Observation".* Well\./, JSON.stringify(entries));
    assert.ok(!isListed(resource), JSON.stringify(resource));
  }
});

it('knows FHIR by how a text begins', () => {
  const patient = '{"resourceType":"Patient"}';
  for (const text of [
    patient,
    `\u{FEFF}\n[ ${patient}]`,
    `${patient}\n${patient}`,
    '<Patient xmlns="http://hl7.org/fhir"/>',
  ])
    assert.ok(isListed(attach('text/plain', text)), text);
});
