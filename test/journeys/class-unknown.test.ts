import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newAccount } from '../harness/account.ts';
import { createArchive } from '../harness/archive.ts';
import { getEverything, listReferences, type Bundle } from '../harness/fhir.ts';
import { uploadOnPage, waitForUploads } from '../harness/my-data.ts';
import {
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type TestService,
} from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';

const contentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const letter = {
  resourceType: 'DocumentReference',
  id: 'letter',
  status: 'current',
  type: { text: 'Letter' },
  content: [{ attachment: { contentType, data: Buffer.from('504b030414000600', 'hex').toString('base64') } }],
};

describe('what a batch says of a document in the record that could not be read', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  it('is what the consent of a test patient does: it shares the place unless it leaves out a class', async () => {
    const patient = await newTestPatient(service);
    const { rejected } = await upload(service, patient, await createArchive({ 'letter.json': letter }));
    assert.deepEqual(
      rejected.map(({ code }: { code: string }) => code),
      ['class_unknown'],
    );
    assert.match(
      rejected[0].message as string,
      /test patient's consent shares it .*, unless it names classes/,
    );
    const token = await getOrganizationToken(service);
    const list = async (): Promise<string[]> =>
      listReferences([(await getEverything(service, { id: patient.id, token })).body as Bundle]);
    assert.ok((await list()).includes('DocumentReference/letter'));
    const narrowed = await decide(service, patient, 'OPTED_IN', { consentDataSensitivityScopes: ['NORMAL'] });
    assert.equal(narrowed.status, 201, JSON.stringify(narrowed.body));
    assert.ok(!(await list()).includes('DocumentReference/letter'));
  });

  it('is of anybody else that it is treated as protected', async () => {
    const browser = createTestBrowser(service);
    await newAccount(service, browser);
    await uploadOnPage(service, browser, await createArchive({ 'letter.json': letter }));
    const [batch] = await waitForUploads(browser);
    assert.deepEqual(
      batch?.rejected.map(({ code, message }: { code: string; message: string }) => [
        code,
        /specially protected information of every class/.test(message),
      ]),
      [['class_unknown', true]],
    );
  });
});
