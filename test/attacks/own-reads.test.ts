import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createArchive } from '../harness/archive.ts';
import { newAskedPatient } from '../harness/asked-patient.ts';
import { buildEverythingPath } from '../harness/fhir.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const ALLERGY = { resourceType: 'AllergyIntolerance', id: 'a1', code: { text: 'Peanut' } };

for (const engine of JOURNEY_ENGINES) {
  describe(`what patients read of their own record as FHIR: ${engine}`, () => {
    let service: TestService;
    let admin: string;
    let base: string;
    before(async () => {
      service = await startTestService({ engine });
      admin = await getOrganizationToken(service);
      base = `/v1/organizations/${service.organization.organizationId}`;
    });
    after(() => service.stop());

    const get = (path: string): Promise<HttpResponse> => call(service, path, { token: admin });

    /** Shares laboratory results alone, and has an allergy. */
    async function prepare(patient: TestPatient): Promise<TestPatient> {
      const { email, password, projectId } = patient;
      const { body } = await call(service, '/v1/auth/token', { json: { email, password, projectId } });
      const own = { ...patient, token: body.token as string };
      await upload(service, own, await createArchive({ 'a.json': ALLERGY }));
      await decide(service, patient, 'OPTED_IN', {
        consentDataResourceScopes: ['LABS'],
        consentDataSensitivityScopes: ['NORMAL'],
      });
      return own;
    }

    async function readOwn({ id, token }: TestPatient): Promise<void> {
      const paths = ['/AllergyIntolerance/a1', '/AllergyIntolerance/zz', '', '/$everything'];
      const statuses: number[] = [];
      for (const path of [...paths.map((each) => `/FHIR/R4/Person/${id}${each}`), buildEverythingPath(id)])
        statuses.push((await call(service, path, { token })).status);
      assert.deepEqual(statuses, [200, 404, 200, 200, 200]);
    }

    const listReads = (body: HttpResponse['body']): string[] =>
      (body.results as { action: string }[])
        .map(({ action }) => action)
        .filter((action) => action.startsWith('fhir.'));

    it('is shown in their own log, and by no door to the organization (case 513)', async () => {
      const patient = await prepare(await newAskedPatient(service));
      const { id } = patient;
      await readOwn(patient);
      const own = await call(service, `/v1/patients/${id}/access-log`, { token: patient.token });
      assert.equal(listReads(own.body).length, 5);
      for (const path of [
        `${base}/access-log?patientId=${id}`,
        `${base}/audit-events?actorId=${id}`,
        `${base}/access-log?outcome=refused`,
        `${base}/audit-events?patientId=${id}`,
        `${base}/audit-events?action=fhir.read`,
        `${base}/audit-events/export?patientId=${id}`,
        `${base}/audit-events/export?format=csv&patientId=${id}`,
        `${base}/patients/${id}`,
        `/v1/patients/${id}/access-log`,
      ]) {
        const { status, body } = await get(path);
        assert.equal(status, 200, path);
        assert.doesNotMatch(JSON.stringify(body), /"?fhir\.(read|everything)|AllergyIntolerance/, path);
      }
      const { body: listed } = await get(`${base}/patients?projectId=${patient.projectId}`);
      const rows = (listed.results as { patientId: string; lastReadAt: string | null }[]).filter(
        ({ patientId }) => patientId === id,
      );
      assert.deepEqual(
        rows.map(({ lastReadAt }) => lastReadAt),
        [null],
      );
    });

    it('hides neither what the organization reads nor what a tool reads under the consent (case 513)', async () => {
      const patient = await prepare(await newAskedPatient(service));
      await call(service, `/FHIR/R4/Person/${patient.id}/AllergyIntolerance/a1`, { token: admin });
      await callTool(service, patient, 'get_labs');
      const { body } = await get(`${base}/access-log?patientId=${patient.id}`);
      assert.deepEqual(
        (body.results as { action: string }[]).map(({ action }) => action),
        ['mcp.tools_call', 'fhir.read'],
      );
    });

    it('stays in the log of the organization that made a test patient', async () => {
      const patient = await prepare(await newTestPatient(service));
      await readOwn(patient);
      const { body } = await get(`${base}/access-log?patientId=${patient.id}`);
      assert.equal(listReads(body).length, 5);
    });
  });
}
