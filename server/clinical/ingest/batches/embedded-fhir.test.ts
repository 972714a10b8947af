import assert from 'node:assert/strict';
import { it } from 'node:test';
import { buildEntries } from '../../entries/build-entries.ts';
import { holdsFhir } from './embedded-fhir.ts';

const FHIR = '{"resourceType":"Condition","code":{"text":"HIV"}}';

const attach = (contentType: string, text: string) => ({
  resourceType: 'DocumentReference',
  type: { text: 'Letter' },
  content: [{ attachment: { contentType, data: Buffer.from(text).toString('base64') } }],
});

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
