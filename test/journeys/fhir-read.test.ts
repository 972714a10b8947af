import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { createArchive } from '../harness/archive.ts';
import { recordConsentWithout } from '../harness/consent-record.ts';
import { getEverything, formatOutcome, getRaw, type Bundle } from '../harness/fhir.ts';
import { buildOddRecord } from '../harness/odd-record.ts';
import {
  call,
  decide,
  newOrganization,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let fixtureService: TestService;
/** With an organization of its own for each test: ids repeat between patients. */
let service: TestService;
let admin: string;
before(async () => void (fixtureService = await startTestService()));
after(() => fixtureService.stop());
beforeEach(async () => {
  service = { ...fixtureService, organization: await newOrganization(fixtureService) };
  admin = await getOrganizationToken(service);
});

const doctor = (name: string): object => ({
  resourceType: 'Practitioner',
  id: '1',
  name: [{ text: name }],
});

async function createPatientWith(...files: object[]): Promise<TestPatient> {
  const patient = await newTestPatient(service);
  for (const file of files) await upload(service, patient, await createArchive({ 'file.json': file }));
  return patient;
}

const read = (url: string, token = admin) => getRaw(service, `/FHIR/R4/${url}`, { token });

describe('a resource read by its id', () => {
  it('is what stands in the bundle, at every fullUrl, for the organization and for the patient', async () => {
    const patient = await newTestPatient(service);
    await upload(service, patient, await createArchive(buildOddRecord()));
    for (const token of [admin, patient.token]) {
      const bundle = (await getEverything(service, { id: patient.id, token })).body as Bundle;
      const { text } = await getRaw(service, `/FHIR/R4/Person/${patient.id}/$everything`, { token });
      assert.equal(new Set(bundle.entry.map(({ fullUrl }) => fullUrl)).size, bundle.total);
      for (const { fullUrl, resource } of bundle.entry) {
        const base = `${service.baseUrl}/FHIR/R4/Person/${patient.id}`;
        const isPerson = resource.id === patient.id;
        assert.equal(fullUrl, isPerson ? base : `${base}/${resource.resourceType}/${resource.id}`);
        const answer = await getRaw(service, fullUrl.slice(service.baseUrl.length), { token });
        assert.equal(answer.status, 200, fullUrl);
        assert.ok(text.includes(`"resource":${answer.text}}`), fullUrl);
      }
    }
  });

  it('may be a Person that a document brought, beside the person of the account', async () => {
    const uuid = generateId();
    const brought = [
      { resourceType: 'Person', id: 'kin' },
      { resourceType: 'Person', id: uuid, active: false },
    ];
    const patient = await createPatientWith(...brought);
    const other = await createPatientWith(doctor('Ann'));
    for (const token of [admin, patient.token]) {
      const { entry } = (await getEverything(service, { id: patient.id, token }, '_type=Person'))
        .body as Bundle;
      assert.deepEqual(
        entry.map(({ resource }) => resource.id),
        [patient.id, 'kin', uuid],
      );
      for (const { fullUrl, resource } of entry)
        assert.deepEqual(
          (await call(service, fullUrl.slice(service.baseUrl.length), { token })).body,
          resource,
        );
    }
    assert.equal((await read(`Person/${uuid}`, other.token)).status, 403, 'as every other person');
    assert.equal((await read('Person/kin', other.token)).status, 404);
  });

  it('is the account, whatever Person a document brings under its id', async () => {
    const victim = await newTestPatient(service);
    const liar = await createPatientWith({
      resourceType: 'Person',
      id: victim.id,
      name: [{ text: 'Somebody else' }],
    });
    const { text } = await read(`Person/${victim.id}`);
    assert.doesNotMatch(text, /Somebody else/);
    assert.match((await read(`Person/${liar.id}/Person/${victim.id}`)).text, /Somebody else/);
  });

  it("is one when two patients have the same file, and nobody's guess when they differ", async () => {
    const one = await createPatientWith(doctor('Ann'));
    const other = await createPatientWith(doctor('Ann'));
    const same = await read('Practitioner/1');
    assert.deepEqual([same.status, same.text], [200, JSON.stringify(doctor('Ann'))]);
    // Both have it, so both see in their log that it was read.
    for (const patient of [one, other]) {
      const { body } = await call(service, `/v1/patients/${patient.id}/access-log`, { token: patient.token });
      const reads = (body.results as HttpResponse['body'][]).filter(({ action }) => action === 'fhir.read');
      assert.deepEqual(
        reads.map(({ outcome, entries, types, consentRecordId }) => [
          outcome,
          entries,
          types,
          typeof consentRecordId,
        ]),
        [['success', 1, ['Practitioner'], 'string']],
      );
    }
    await upload(service, other, await createArchive({ 'file.json': doctor('Bob') }));
    const differing = await read('Practitioner/1');
    assert.equal(differing.status, 409);
    assert.match(
      formatOutcome({ body: JSON.parse(differing.text) }),
      /^multiple-matches .*Person\/\{patientId\}/,
    );
    assert.doesNotMatch(differing.text, /Ann|Bob/);
    assert.equal((await read(`Person/${one.id}/Practitioner/1`)).text, JSON.stringify(doctor('Ann')));
    assert.equal((await read(`Person/${other.id}/Practitioner/1`)).text, JSON.stringify(doctor('Bob')));
    assert.equal((await read('Practitioner/1', one.token)).text, JSON.stringify(doctor('Ann')));
    // Each record names its own: what stands in a bundle resolves to what stands there.
    for (const { id } of [one, other])
      for (const { fullUrl, resource } of (
        (await getEverything(service, { id, token: admin })).body as Bundle
      ).entry)
        assert.deepEqual(
          (await call(service, fullUrl.slice(service.baseUrl.length), { token: admin })).body,
          resource,
        );
    // Whom the organization may not read now does not confuse it.
    await decide(service, one, 'OPTED_OUT');
    assert.equal((await read('Practitioner/1')).text, JSON.stringify(doctor('Bob')));
    assert.equal((await read(`Person/${one.id}/Practitioner/1`)).status, 403);
    await decide(service, other, 'OPTED_OUT');
    assert.equal((await read('Practitioner/1')).status, 404);
  });

  it('is one where two patients differ in what their consents leave out alone', async () => {
    const procedure = (reason: string, more: object = {}): object => ({
      resourceType: 'Procedure',
      id: 'p',
      status: 'completed',
      code: { text: 'Excision' },
      reasonReference: [{ reference: `Condition/${reason}` }],
      ...more,
    });
    const person = (line: string): object => ({
      resourceType: 'Patient',
      id: 'x',
      address: [{ text: line }],
    });
    const patients = [
      await createPatientWith(procedure('a'), person('Hill Road 1')),
      await createPatientWith(procedure('b'), person('Hill Road 2')),
    ];
    const statuses = async (): Promise<number[]> => [
      (await read('Procedure/p')).status,
      (await read('Patient/x')).status,
    ];
    assert.deepEqual(await statuses(), [409, 409]);
    for (const patient of patients) await recordConsentWithout(service, patient, 'DIAGNOSES', 'CONTACT_INFO');
    assert.deepEqual(await statuses(), [200, 200]);
    const [one, other] = patients as [TestPatient, TestPatient];
    const { text } = await read('Procedure/p');
    assert.doesNotMatch(text, /Condition/);
    for (const { id } of patients) assert.equal((await read(`Person/${id}/Procedure/p`)).text, text);
    // What is sent differs: of one more is shared, or it says something else.
    await decide(service, one, 'OPTED_IN');
    assert.deepEqual(await statuses(), [409, 409]);
    await recordConsentWithout(service, one, 'DIAGNOSES', 'CONTACT_INFO');
    await upload(
      service,
      other,
      await createArchive({ 'file.json': procedure('b', { note: [{ text: 'x' }] }) }),
    );
    assert.deepEqual(await statuses(), [409, 200]);
  });

  it('does not exist for another organization, another patient, or a consent that leaves it out', async () => {
    const patient = await createPatientWith({
      resourceType: 'Condition',
      id: 'gout',
      code: { text: 'Gout' },
    });
    const stranger = await getOrganizationToken(
      fixtureService,
      'admin',
      await newOrganization(fixtureService),
    );
    const other = await newTestPatient(service);
    assert.equal((await read('Condition/gout')).status, 200);
    assert.equal((await read('Condition/gout', stranger)).status, 404);
    assert.equal((await read('Condition/gout', other.token)).status, 404);
    assert.equal((await read(`Person/${patient.id}/Condition/gout`, stranger)).status, 403);
    assert.equal((await read(`Person/${patient.id}/Condition/gout`, other.token)).status, 403);
    assert.equal((await read(`Person/${other.id}/Condition/gout`)).status, 404);
    await recordConsentWithout(service, patient, 'DIAGNOSES');
    assert.equal((await read('Condition/gout')).status, 404);
    assert.equal((await read(`Person/${patient.id}/Condition/gout`)).status, 404);
    assert.equal((await read('Condition/gout', patient.token)).status, 200);
  });
});
