import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ResourceScope, RestrictedScope } from '../../contract/data-categories.ts';
import { toWithheldMask } from '../../server/consent/access/sensitivity-labels.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { newFlow, obtainTokens } from '../harness/authorization.ts';
import {
  recordConsentWithout,
  recordConsentWithScreenshots,
  buildScopesWithout,
} from '../harness/consent-record.ts';
import {
  fetchAllPages,
  getEverything,
  buildEverythingPath,
  listReferences,
  parseReferences,
  fetchNdjsonLines,
  formatOutcome,
  getRaw,
  type Bundle,
} from '../harness/fhir.ts';
import { buildOddRecord, PATIENT_TEXT } from '../harness/odd-record.ts';
import {
  call,
  decide,
  newOrganization,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { WITHHELD_RECORD } from '../mcp/withheld-record.ts';

type Category = ResourceScope | RestrictedScope;

let fixtureService: TestService;
/** With an organization of its own for each part: ids repeat between patients. */
let service: TestService;
let admin: string;
before(async () => void (fixtureService = await startTestService()));
after(() => fixtureService.stop());

async function anotherOrganization(): Promise<void> {
  service = { ...fixtureService, organization: await newOrganization(fixtureService) };
  admin = await getOrganizationToken(service);
}

const getStatus = async (patient: TestPatient, token = admin): Promise<number> =>
  (await getEverything(service, { id: patient.id, token })).status;

async function enroll(patient: TestPatient, projectId: string): Promise<TestPatient> {
  const person = { email: patient.email, firstName: 'A', lastName: 'B' };
  await call(service, `/v1/projects/${projectId}/patients`, {
    token: admin,
    json: { patients: [person], suppressNotifications: true },
  });
  return { ...patient, projectId };
}

describe('who may read a record as FHIR', () => {
  beforeEach(anotherOrganization);

  it('is whoever has a token of this service: others get a challenge', async () => {
    const patient = await newTestPatient(service);
    for (const url of [
      buildEverythingPath(patient.id),
      `/FHIR/R4/Person/${patient.id}`,
      '/FHIR/R4/Patient/p',
    ])
      for (const token of [undefined, 'garbage']) {
        const answer = await call(service, url, { ...(token !== undefined && { token }) });
        assert.equal(answer.status, 401);
        assert.match(formatOutcome(answer), /^login /);
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
      }
  });

  it('is not an agent: its token is for another address', async () => {
    const flow = await newFlow(fixtureService);
    const { access_token: token } = await obtainTokens(fixtureService, flow);
    assert.equal(await getStatus(flow.patient, token as string), 401);
  });

  it('is the patient, for their own record, consent or not', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const other = await newTestPatient(service);
    assert.equal(await getStatus(patient, patient.token), 200);
    for (const url of [
      buildEverythingPath(patient.id),
      `/FHIR/R4/Person/${patient.id}`,
      `/FHIR/R4/Person/${patient.id}/Patient/p`,
    ]) {
      const answer = await call(service, url, { token: other.token });
      assert.equal(answer.status, 403, url);
      assert.match(formatOutcome(answer), /^forbidden /);
    }
  });

  it('is the organization that the patient shares with: a stranger is forbidden, as with nobody', async () => {
    const patient = await newTestPatient(service);
    const foreign = await newOrganization(service);
    const stranger = await getOrganizationToken(service, 'researcher', foreign);
    assert.equal(await getStatus(patient, await getOrganizationToken(service, 'researcher')), 200);
    assert.equal(await getStatus(patient, stranger), 403);
    const nobody = '00000000-0000-4000-8000-000000000000';
    for (const token of [admin, stranger])
      assert.match(formatOutcome(await getEverything(service, { id: nobody, token })), /^forbidden /);
  });

  it('is in the log as not found where a resource is, and as not shared where a person is', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    assert.equal((await call(service, `/FHIR/R4/Observation/${id}`, { token: admin })).status, 404);
    assert.equal((await call(service, `/FHIR/R4/Person/${id}`, { token: admin })).status, 403);
    const { organizationId } = service.organization;
    const path = `/v1/organizations/${organizationId}/audit-events?action=fhir.read&limit=2`;
    const { body } = await call(service, path, { token: admin });
    assert.deepEqual(
      (body.results as HttpResponse['body'][]).map(({ outcome, detail }) => [outcome, detail.reason]),
      [
        ['refused', 'access_revoked'],
        ['refused', 'not_found'],
      ],
    );
  });

  it('is an organization from consent to withdrawal, at once', async () => {
    const patient = await newTestPatient(service, { consent: false });
    await upload(service, patient, await createArchive({ 'p.json': PATIENT_TEXT }));
    const reads = [buildEverythingPath(patient.id), `/FHIR/R4/Person/${patient.id}`, '/FHIR/R4/Patient/p'];
    const statuses = (): Promise<number[]> =>
      Promise.all(reads.map(async (url) => (await call(service, url, { token: admin })).status));
    assert.deepEqual(await statuses(), [403, 403, 404]);
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(await statuses(), [200, 200, 200]);
    await decide(service, patient, 'OPTED_OUT');
    assert.deepEqual(await statuses(), [403, 403, 404]);
    assert.equal(await getStatus(patient, patient.token), 200);
  });

  it('needs a consent of the right kind, to any project, that has not expired', async () => {
    const kinds = { DATA_AUTHORIZATION: 200, FUTURE_DATA_USE: 403, PATIENT_DIRECTED_DATA_EXCHANGE: 200 };
    for (const [consentType, status] of Object.entries(kinds)) {
      const patient = await newTestPatient(service, { consent: false });
      assert.equal((await decide(service, patient, 'OPTED_IN', { consentType })).status, 201);
      assert.equal(await getStatus(patient), status, consentType);
    }
    const elsewhere = await newTestPatient(service, {
      projectId: await newProject(service, 'Another study'),
    });
    assert.equal(await getStatus(elsewhere), 200);
    const patient = await newTestPatient(service, { consent: false });
    const expirationTimestamp = new Date(service.clock.now().getTime() + 60_000).toISOString();
    await decide(service, patient, 'OPTED_IN', { expirationTimestamp });
    assert.equal(await getStatus(patient), 200);
    service.clock.advance(61_000);
    assert.equal(await getStatus(patient), 403);
  });
});

describe('a consent that leaves something out', () => {
  let patient: TestPatient;
  let needs: ReadonlyMap<string, number>;
  before(async () => {
    await anotherOrganization();
    patient = await newTestPatient(service);
    const { status } = await upload(
      service,
      patient,
      await createArchive({ 'r.json': createBundle(...WITHHELD_RECORD) }),
    );
    assert.equal(status, 'completed');
    const rows = await service.store.db.query(sql<{ name: string; required_labels: number }>`
      select resource_type || '/' || fhir_id as name, required_labels from resource join resource_label using (patient_id, seq)
      where patient_id = ${patient.id} order by seq`);
    needs = new Map(rows.map((row) => [row.name, row.required_labels]));
    assert.equal(needs.size, WITHHELD_RECORD.length);
  });

  const listVisible = (...consents: readonly (readonly Category[])[]): string[] =>
    [...needs.keys()].filter((name) =>
      consents.some((left) => ((needs.get(name) ?? -1) & toWithheldMask(buildScopesWithout(left))) === 0),
    );

  /** In every form of answer: entries, totals, pages, lines, reads by id, the person's link. */
  async function assertShown(names: readonly string[], what: string): Promise<void> {
    const who = { id: patient.id, token: admin };
    const all = [`Person/${patient.id}`, ...names];
    const first = (await getEverything(service, who)).body as Bundle;
    assert.deepEqual(listReferences([first]), all, what);
    assert.equal(first.total, all.length, what);
    assert.deepEqual(listReferences(await fetchAllPages(service, who, '_count=9')), all, what);
    assert.deepEqual(
      listReferences([(await getEverything(service, who, '_count=4&_offset=3')).body as Bundle]),
      all.slice(3, 7),
    );
    assert.deepEqual(parseReferences(await fetchNdjsonLines(service, who)), all, what);
    const observations = (await getEverything(service, who, '_type=Observation&_count=0')).body as Bundle;
    assert.equal(observations.total, all.filter((name) => name.startsWith('Observation/')).length, what);
    const person = first.entry[0]?.resource as { link?: unknown; name?: unknown; birthDate?: unknown };
    assert.equal(person.link !== undefined, names.includes('Patient/p'), what);
    const visible = new Set(names);
    for (const name of needs.keys()) {
      const urls = [`/FHIR/R4/${name}`, `/FHIR/R4/Person/${patient.id}/${name}`];
      for (const url of urls)
        assert.equal(
          (await call(service, url, { token: admin })).status,
          visible.has(name) ? 200 : 404,
          `${what} ${url}`,
        );
    }
  }

  const SINGLE: Category[] = [
    'LABS',
    'DEMOGRAPHICS',
    'CLINICAL_NOTES',
    'HIV_OR_STI',
    'SUD_PART_2',
    'PSYCHOTHERAPY_NOTES',
  ];
  for (const category of SINGLE)
    it(`leaves out ${category} everywhere`, async () => {
      await recordConsentWithout(service, patient, category);
      const names = listVisible([category]);
      assert.ok(names.length > 0 && names.length < needs.size, `${names.length} of ${needs.size}`);
      await assertShown(names, category);
    });

  it('leaves out all but one category, and the patient still reads everything', async () => {
    const left = [...ResourceScope.options.filter((name) => name !== 'LABS'), ...RestrictedScope.options];
    await recordConsentWithout(service, patient, ...left);
    const names = listVisible(left);
    assert.ok(names.length > 0 && names.length < 10, names.join());
    await assertShown(names, 'LABS alone');
    const own = (await getEverything(service, patient)).body as Bundle;
    assert.equal(own.total, needs.size + 1);
  });

  it('does not add up with another that leaves out something else', async () => {
    const second = await enroll(patient, await newProject(service, 'A third study'));
    for (const [one, other] of [
      [['LABS'], ['HIV_OR_STI']],
      [
        ['DIAGNOSES', 'LABS'],
        ['MENTAL_HEALTH', 'SUBSTANCE_USE_OR_DRUG_ABUSE', 'VISITS'],
      ],
    ] as Category[][][]) {
      await recordConsentWithout(service, patient, ...(one ?? []));
      await recordConsentWithout(service, second, ...(other ?? []));
      const names = listVisible(one ?? [], other ?? []);
      const both = [...(one ?? []), ...(other ?? [])];
      assert.ok(names.length < needs.size, 'something needs both');
      assert.ok(names.length > listVisible(both).length, 'but most needs one of them');
      await assertShown(names, both.join());
    }
    await recordConsentWithScreenshots(service, second, { consentStatus: 'OPTED_OUT' });
    await assertShown(listVisible(['DIAGNOSES', 'LABS']), 'the first again');
  });

  it('returns neither name nor birth date without DEMOGRAPHICS', async () => {
    await recordConsentWithout(service, patient, 'DEMOGRAPHICS');
    const { body } = await call(service, `/FHIR/R4/Person/${patient.id}`, { token: admin });
    assert.deepEqual(Object.keys(body as object).sort(), ['active', 'id', 'meta', 'resourceType']);
    assert.deepEqual(
      ((await getEverything(service, { id: patient.id, token: admin })).body as Bundle).entry[0]?.resource,
      body,
    );
  });

  const getLabel = async (of: TestPatient): Promise<string | undefined> =>
    (await getEverything(service, { id: of.id, token: admin }, '_count=1')).body.meta.security?.[0].code as
      | string
      | undefined;

  it('goes out under the notice of 42 CFR part 2 only where such records may be among it', async () => {
    await decide(service, patient, 'OPTED_IN');
    assert.equal(await getLabel(patient), '42CFRPart2');
    await recordConsentWithout(service, patient, 'SUD_PART_2');
    assert.equal(await getLabel(patient), undefined);
    const other = await newTestPatient(service);
    await upload(service, other, await createArchive({ 'p.json': PATIENT_TEXT }));
    assert.equal(await getLabel(other), undefined);
    const claim = {
      resourceType: 'Claim',
      id: 'c',
      status: 'active',
      meta: {
        security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: '42CFRPart2' }],
      },
    };
    await upload(service, other, await createArchive({ 'c.json': claim }));
    const { body } = await getEverything(service, { id: other.id, token: admin }, '_type=Claim');
    assert.equal((body as Bundle).total, 1);
    assert.equal(await getLabel(other), '42CFRPart2');
  });
});

describe('a consent without contact information', () => {
  beforeEach(anotherOrganization);

  it('shows who the patient is and in no way where they are', async () => {
    const patient = await newTestPatient(service);
    await upload(service, patient, await createArchive(buildOddRecord()));
    const underscored = PATIENT_TEXT.replace('"id":"p"', '"id":"q"').replace(
      '"telecom"',
      '"_telecom":[{"extension":[{"valueString":"SECRET"}]}],"contained":[{"resourceType":"Organization","address":[{"city":"SECRET"}]}],"telecom"',
    );
    const person =
      '{"resourceType":"Person","id":"o","name":[{"family":"Nowak"}],"birthDate":"1970-04-01","telecom":[{"value":"SECRET"}],"extension":[{"url":"u","valueDecimal":1.00}]}';
    await upload(service, patient, await createArchive({ 'q.json': underscored, 'o.json': person }));
    const who = { id: patient.id, token: admin };
    const urls = [
      '/FHIR/R4/Patient/p',
      '/FHIR/R4/Patient/q',
      '/FHIR/R4/Person/o',
      ...['Patient/p', 'Person/o'].map((name) => `/FHIR/R4/Person/${patient.id}/${name}`),
    ];
    const texts = async (): Promise<string[]> => [
      (await getRaw(service, buildEverythingPath(patient.id), { token: admin })).text,
      (await getRaw(service, buildEverythingPath(patient.id, '_type=Patient'), { token: admin })).text,
      (await getRaw(service, buildEverythingPath(patient.id, '_type=Person'), { token: admin })).text,
      (await fetchNdjsonLines(service, who)).join('\n'),
      ...(await Promise.all(urls.map(async (url) => (await getRaw(service, url, { token: admin })).text))),
    ];
    const before = listReferences([(await getEverything(service, who)).body as Bundle]);
    for (const text of await texts()) assert.ok(text.includes('SECRET'));
    await recordConsentWithout(service, patient, 'CONTACT_INFO');
    for (const text of await texts()) {
      assert.doesNotMatch(text, /SECRET|telecom|"address"|"contact"|contained|"extension":\[\]/);
      assert.match(text, /Nowak.*1970-04-01|1970-04-01.*Nowak/s);
      assert.ok(text.includes('"valueDecimal":1.00'), 'digits as they came');
    }
    for (const count of [1, 2, 7, 500])
      assert.deepEqual(listReferences(await fetchAllPages(service, who, `_count=${count}`)), before);
    const { text } = await getRaw(service, buildEverythingPath(patient.id), { token: admin });
    for (const uploaded of Object.values(buildOddRecord()))
      if (uploaded !== PATIENT_TEXT) assert.ok(text.includes(uploaded), 'all else is as it came');
    const own = await getRaw(service, '/FHIR/R4/Patient/p', { token: patient.token });
    assert.equal(own.text, PATIENT_TEXT);
  });

  it('hides them in every one of very many Patients, and returns changed ones alone on request', async () => {
    const patient = await newTestPatient(service);
    const made = (from: number, to: number, street: string): string =>
      Array.from({ length: to - from }, (_, place) => {
        const id = `p${from + place}`;
        const returned = { resourceType: 'Patient', id, address: [{ line: [`SECRET ${street}`] }] };
        return `${JSON.stringify(returned)}\n${JSON.stringify({ resourceType: 'Basic', id, code: { text: 'x' } })}`;
      }).join('\n');
    await upload(service, patient, await createArchive({ 'many.ndjson': made(0, 510, 'one') }));
    await recordConsentWithout(service, patient, 'CONTACT_INFO');
    const who = { id: patient.id, token: admin };
    const first = (await getEverything(service, who, '_count=5000')).body as Bundle & {
      meta: { lastUpdated: string };
    };
    assert.equal(first.total, 1021);
    assert.equal(new Set(listReferences([first])).size, 1021);
    assert.doesNotMatch(JSON.stringify(first), /SECRET/);
    assert.deepEqual(parseReferences(await fetchNdjsonLines(service, who)), listReferences([first]));
    assert.doesNotMatch((await fetchNdjsonLines(service, who)).join(), /SECRET/);
    const pages = await fetchAllPages(service, who, '_count=300', async (page) => {
      if (page === 1)
        await upload(service, patient, await createArchive({ 'more.ndjson': made(500, 503, 'two') }));
    });
    assert.deepEqual(listReferences(pages), listReferences([first]));
    const since = (await getEverything(service, who, `_since=${first.meta.lastUpdated}`)).body as Bundle;
    assert.deepEqual(
      [listReferences([since]), since.total],
      [['Patient/p500', 'Patient/p501', 'Patient/p502'], 3],
    );
    assert.doesNotMatch(JSON.stringify(since), /SECRET/);
  });
});

type StampedBundle = Bundle & { meta: { lastUpdated: string } };

describe('the Person of a record', () => {
  it('has changed when a Patient that it links to has come', async () => {
    const patient = await newTestPatient(service);
    const who = { id: patient.id, token: admin };
    const before = (await getEverything(service, who)).body as StampedBundle;
    const born = { resourceType: 'Patient', id: 'born', birthDate: '1970-02-03' };
    await upload(service, patient, await createArchive({ 'born.ndjson': JSON.stringify(born) }));
    const since = (await getEverything(service, who, `_since=${before.meta.lastUpdated}`))
      .body as StampedBundle;
    assert.deepEqual(listReferences([since]), [`Person/${patient.id}`, 'Patient/born']);
    const [person] = since.entry as unknown as {
      resource: { birthDate?: string; meta: { lastUpdated: string } };
    }[];
    assert.equal(person?.resource.birthDate, '1970-02-03');
    assert.ok((person?.resource.meta.lastUpdated ?? '') > before.meta.lastUpdated);
    assert.deepEqual((await getEverything(service, who, `_since=${since.meta.lastUpdated}`)).body.total, 0);
  });
});

describe('the access log', () => {
  beforeEach(anotherOrganization);

  it('shows the patient every call: who, when, under which consent, how much, and what was refused', async () => {
    const patient = await newTestPatient(service, { consent: false });
    await upload(service, patient, await createArchive(buildOddRecord()));
    const who = { id: patient.id, token: admin };
    await getEverything(service, who);
    const decided = await decide(service, patient, 'OPTED_IN');
    const total = ((await getEverything(service, who, '_count=0')).body as Bundle).total;
    await getEverything(service, who, '_count=7&_type=Observation');
    await fetchNdjsonLines(service, who, '_total=0&_offset=99');
    await getEverything(service, who, '_total=0&_count=6');
    await call(service, '/FHIR/R4/Patient/p', { token: admin });
    await getEverything(service, patient, '_count=3');
    const { body } = await call(service, `/v1/patients/${patient.id}/access-log`, { token: patient.token });
    const entries = (body.results as HttpResponse['body'][])
      .filter(({ action }) => action.startsWith('fhir.'))
      .toReversed();
    const consentRecordId = decided.body.consentRecordId as string;
    assert.ok(consentRecordId);
    const returned = entries.map(
      ({ action, outcome, actor, entries: read, consentRecordId: under, reason }) => [
        action,
        outcome,
        actor.kind,
        read,
        under,
        reason,
      ],
    );
    const partner = ['success', 'admin'] as const;
    assert.deepEqual(returned, [
      ['fhir.everything', 'refused', 'admin', null, null, 'access_revoked'],
      ['fhir.everything', ...partner, 0, consentRecordId, null],
      ['fhir.everything', ...partner, 7, consentRecordId, null],
      // Whatever the caller makes up of where it goes on and how many there are.
      ['fhir.everything', ...partner, total, consentRecordId, null],
      ['fhir.everything', ...partner, 6, consentRecordId, null],
      ['fhir.read', ...partner, 1, consentRecordId, null],
      ['fhir.everything', 'success', 'patient', 3, null, null],
    ]);
    assert.ok(entries.every(({ organization }) => organization.id === service.organization.organizationId));
  });
});
