import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import { buildEverythingPath } from '../harness/fhir.ts';
import {
  call,
  decide,
  getOrganizationToken,
  newOrganization,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

const NOBODY = { id: '00000000-0000-4000-8000-000000000000', email: 'nobody@mail.example' };
const UNKNOWN = { ...NOBODY, phone: '15550999', externalId: 'mrn-unknown' };

let service: TestService;
/** Tokens of the own organization and of one that the patients have nothing to do with. */
let admin: string;
let stranger: string;
let foreignProject: string;

before(async () => {
  service = await startTestService();
  admin = await getOrganizationToken(service);
  const foreign = await newOrganization(service);
  foreignProject = foreign.projectId;
  stranger = await getOrganizationToken(service, 'admin', foreign);
});
after(() => service.stop());

/** The whole answer, but for the date. */
async function readAnswer(path: string, token: string, method = 'GET'): Promise<unknown> {
  const { status, headers, body } = await call(service, path, { token, method });
  const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status, body, headers: kept.toSorted(([one], [other]) => one.localeCompare(other)) };
}

/** A patient with a resource, who shares with nobody. */
async function createPatientWith(resource: { resourceType: string; id: string }): Promise<TestPatient> {
  const patient = await newTestPatient(service, { consent: false });
  await upload(service, patient, await createArchive({ 'file.json': resource }));
  return patient;
}

const createCondition = (id: string) => ({ resourceType: 'Condition', id, code: { text: 'Gout' } });

interface Identifiers {
  id: string;
  email: string;
  phone: string;
  externalId: string;
}

/** Every request by which an organization names a patient. */
const listNamingPaths = ({ id, email, phone, externalId }: Identifiers, studyId: string): string[] => [
  `/v1/patients/consents?patientId=${id}`,
  `/v1/patients/consents?email=${encodeURIComponent(email)}`,
  `/v1/patients/consents?phone=${phone}`,
  `/v1/patients/consents?externalId=${externalId}`,
  `/v1/patients/${id}/consents`,
  `/v1/patients/${id}/consented-data-scopes/study/${studyId}`,
  buildEverythingPath(id),
  buildEverythingPath(id, '_count=0'),
  `/FHIR/R4/Person/${id}`,
  `/FHIR/R4/Person/${id}/Condition/c`,
];

describe('whether somebody exists', () => {
  it('is shown to no organization that they do not share with, by any identifier at any endpoint (case 71)', async () => {
    const enrolled = await newTestPatient(service, { consent: false });
    const known = { id: enrolled.id, email: enrolled.email, phone: '15550111', externalId: 'mrn-enrolled' };
    await service.store.db.query(
      sql`update enrollment set external_id = ${known.externalId} where patient_id = ${known.id}`,
    );
    const paths = (who: Identifiers): string[] => [
      ...listNamingPaths(who, foreignProject),
      `/v1/patients/${who.id}/access-log`,
    ];
    const expected = paths(UNKNOWN);
    for (const [index, path] of paths(known).entries()) {
      const answer = await readAnswer(path, stranger);
      assert.deepEqual(answer, await readAnswer(expected[index] as string, stranger), path);
      assert.match(JSON.stringify(answer), /does not exist, or does not share with your organization/, path);
      assert.equal((answer as { status: number }).status, 403, path);
    }
  });

  it('is shown to no organization whose project they are enrolled in without ever deciding (case 71)', async () => {
    const { id, email } = await newTestPatient(service, { consent: false });
    const { projectId } = service.organization;
    const expected = listNamingPaths(UNKNOWN, projectId);
    const paths = listNamingPaths({ ...UNKNOWN, id, email }, projectId);
    for (const [index, path] of paths.entries())
      assert.deepEqual(
        await readAnswer(path, admin),
        await readAnswer(expected[index] as string, admin),
        path,
      );
  });

  it('is not shown by how an id is written: one that nobody can have is nobody, to FHIR (case 71)', async () => {
    for (const build of [
      buildEverythingPath,
      (id: string) => `/FHIR/R4/Person/${id}`,
      (id: string) => `/FHIR/R4/Person/${id}/Condition/c`,
      (id: string) => `/FHIR/R4/Patient/${id}/$everything`,
    ]) {
      const nobody = await readAnswer(build(NOBODY.id), admin);
      for (const id of ['zzz', '1', NOBODY.id.slice(1)])
        assert.deepEqual(await readAnswer(build(id), admin), nobody, build(id));
    }
  });

  it('is not shown by FHIR after a withdrawal either (case 71)', async () => {
    const patient = await newTestPatient(service);
    assert.equal((await decide(service, patient, 'OPTED_OUT')).status, 201);
    for (const path of [buildEverythingPath, (id: string) => `/FHIR/R4/Person/${id}`])
      assert.deepEqual(await readAnswer(path(patient.id), admin), await readAnswer(path(NOBODY.id), admin));
  });

  it('is not shown by a document that claims their id (case 71)', async () => {
    const { id } = await newTestPatient(service, { consent: false });
    const claiming = await newTestPatient(service);
    const claim = { resourceType: 'Person', id, name: [{ text: 'Claimed' }] };
    const other = { ...claim, id: 'a0000000-0000-4000-8000-000000000000' };
    await upload(service, claiming, await createArchive({ 'a.json': claim, 'b.json': other }));
    const statuses = [claim, other].map(
      async (person) => (await call(service, `/FHIR/R4/Person/${person.id}`, { token: admin })).status,
    );
    assert.deepEqual(await Promise.all(statuses), [200, 200]);
  });

  it('is not shown by the log of the organization: ids that name nobody are entries as well (case 71)', async () => {
    const { id } = await newTestPatient(service, { consent: false });
    for (const each of [id, UNKNOWN.id]) await call(service, buildEverythingPath(each), { token: stranger });
    const { body } = await call(
      service,
      `/v1/organizations/${await getOrganizationId(stranger)}/audit-events`,
      {
        token: stranger,
      },
    );
    const asked = (body.results as { patientId: string | null; outcome: string }[]).filter(
      ({ outcome }) => outcome === 'refused',
    );
    assert.deepEqual(
      asked.slice(0, 2).map(({ patientId }) => patientId),
      [UNKNOWN.id, id],
    );
  });
});

const getOrganizationId = async (token: string): Promise<string> =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { organizationId: string })
    .organizationId;

describe('an id that no consent permits', () => {
  it('is answered as one that nobody has: never shared, shared elsewhere, left out, withdrawn (case 72)', async () => {
    await createPatientWith(createCondition('never'));
    const leftOut = await createPatientWith(createCondition('left-out'));
    await decide(service, leftOut, 'OPTED_IN', { consentDataResourceScopes: ['LABS'] });
    const withdrawn = await createPatientWith(createCondition('withdrawn'));
    await decide(service, withdrawn, 'OPTED_IN');
    const read = (id: string): string => `/FHIR/R4/Condition/${id}`;
    assert.equal((await call(service, read('withdrawn'), { token: admin })).status, 200);
    await decide(service, withdrawn, 'OPTED_OUT');
    for (const method of ['GET', 'HEAD']) {
      const unknown = await readAnswer(read('unknown'), admin, method);
      assert.equal((unknown as { status: number }).status, 404);
      for (const id of ['never', 'left-out', 'withdrawn'])
        assert.deepEqual(await readAnswer(read(id), admin, method), unknown, `${method} ${id}`);
    }
    await decide(service, withdrawn, 'OPTED_IN');
    assert.deepEqual(
      await readAnswer(read('withdrawn'), stranger),
      await readAnswer(read('unknown'), stranger),
    );
  });

  it('is an entry of the person whose record is named, the same as of one that nobody has (case 501)', async () => {
    const patient = await createPatientWith(createCondition('left-out'));
    await decide(service, patient, 'OPTED_IN', { consentDataResourceScopes: ['LABS'] });
    const listRefused = async (): Promise<unknown[]> => {
      const { body } = await call(service, `/v1/patients/${patient.id}/access-log`, { token: patient.token });
      return (body.results as Record<string, unknown>[])
        .filter(({ action, outcome }) => action === 'fhir.read' && outcome === 'refused')
        .map(({ id, at, ...entry }) => [typeof id, typeof at, entry]);
    };
    for (const method of ['GET', 'HEAD'])
      for (const id of ['left-out', 'unknown'])
        assert.deepEqual(
          await readAnswer(`/FHIR/R4/Person/${patient.id}/Condition/${id}`, admin, method),
          await readAnswer(`/FHIR/R4/Person/${patient.id}/Condition/nobody`, admin, method),
        );
    const refused = await listRefused();
    assert.equal(refused.length, 8);
    for (const entry of refused) assert.deepEqual(entry, refused[0]);
    const [[, , { reason, types, organization, consentRecordId }]] = refused as [
      [string, string, Record<string, unknown>],
    ];
    assert.deepEqual([reason, types, typeof consentRecordId], ['not_found', ['Condition'], 'string']);
    assert.ok(organization);
    // Of what the person asks for themselves, too.
    await call(service, `/FHIR/R4/Person/${patient.id}/Condition/nobody`, { token: patient.token });
    assert.equal((await listRefused()).length, 9);
  });

  it('costs one entry of the log, which names nobody, whether or not somebody has it (case 72)', async () => {
    await createPatientWith(createCondition('logged'));
    const counts: number[] = [];
    for (const id of ['logged', 'unlogged']) {
      const before = await countEntries();
      await call(service, `/FHIR/R4/Condition/${id}`, { token: admin });
      counts.push((await countEntries()) - before);
    }
    assert.deepEqual(counts, [1, 1]);
  });
});

const countEntries = async (): Promise<number> => {
  const [row] = await service.store.db.query(
    sql<{ total: number }>`select count(*) as total from audit_entry
      where action = 'fhir.read' and outcome = 'refused' and patient_id is null`,
  );
  return row?.total ?? 0;
};
