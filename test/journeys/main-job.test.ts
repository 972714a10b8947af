import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  callTool,
  newTestPatient,
  generateRecordArchive,
  startTestService,
  getToolText,
  upload,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

for (const engine of JOURNEY_ENGINES) {
  describe(`the main job on ${engine}`, () => {
    let service: TestService;
    before(async () => void (service = await startTestService({ engine })));
    after(() => service.stop());

    it('reads an uploaded record through MCP once the patient has consented', async () => {
      const patient = await newTestPatient(service);
      const batch = await upload(service, patient, await generateRecordArchive());
      assert.equal(batch.status, 'completed');
      assert.ok(batch.resources.created > 100);
      const text = getToolText(await callTool(service, patient, 'get_health_summary'));
      assert.match(text, /^# Health summary/);
      assert.match(text, /## Medications/);
    });
  });
}
