import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { waitForMail } from '../harness/mails.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  call,
  newOrganization,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let researcher: string;
before(async () => {
  service = await startTestService();
  researcher = await getOrganizationToken(service, 'researcher');
});
after(() => service.stop());

let people = 0;
const buildPerson = (more: object = {}): object & { email: string } =>
  Object.assign({ email: `person${++people}@example.org`, firstName: 'Kim', lastName: 'Ito' }, more);

const enroll = (
  patients: unknown,
  {
    projectId = service.organization.projectId,
    suppressNotifications = true,
  }: { projectId?: string; suppressNotifications?: boolean } = {},
): Promise<HttpResponse> =>
  call(service, `/v1/projects/${projectId}/patients`, {
    token: researcher,
    json: { patients, suppressNotifications },
  });

describe('enrolling patients', () => {
  it('answers every item in its place: enrolled, faulty or known', async () => {
    const known = buildPerson();
    const before = await enroll([known]);
    const [first, second] = [
      buildPerson(),
      buildPerson({
        languagePreference: 'es-MX',
        externalId: 'MRN 7',
        phone: '+1 555 0100',
        dateOfBirth: '1970-01-31',
      }),
    ];
    const { status, body } = await enroll([first, { ...buildPerson(), email: 'no address' }, known, second]);
    assert.equal(status, 200);
    const [one, other] = body.successfulPatients as { referenceId: string }[];
    const { error } = body.errors[0];
    assert.match(error, /^email: /);
    assert.deepEqual(body, {
      totalProcessed: 4,
      successCount: 2,
      errorCount: 1,
      duplicatesCount: 1,
      errors: [{ patientIndex: 1, email: 'no address', error }],
      duplicates: [
        {
          patientIndex: 2,
          email: known.email,
          referenceId: before.body.successfulPatients[0].referenceId,
          consents: [],
        },
      ],
      successfulPatients: [
        { patientIndex: 0, email: first.email, referenceId: one?.referenceId },
        { patientIndex: 3, email: second.email, referenceId: other?.referenceId },
      ],
    });
  });

  it('warns of an external id that another patient of the organization has, in the list or enrolled before, and enrolls', async () => {
    const [first, second, third] = ['MRN 70', 'MRN 70', 'MRN 71'].map((externalId) =>
      buildPerson({ externalId }),
    );
    const listed = await enroll([first, second, third]);
    const warning =
      'externalId: another patient of this organization has this id too, so that neither is found by it';
    assert.deepEqual(
      [listed.body.successCount, listed.body.warnings],
      [3, [first, second].map((person, patientIndex) => ({ patientIndex, email: person?.email, warning }))],
    );
    const later = buildPerson({ externalId: 'MRN 71' });
    const token = researcher;
    const path = `/v1/projects/${service.organization.projectId}/patients`;
    const dry = await call(service, `${path}?dryRun=true`, { token, json: { patients: [later] } });
    assert.deepEqual(dry.body.warnings, [{ patientIndex: 0, email: later.email, warning }]);
    const { body } = await enroll([later]);
    const { referenceId } = body.successfulPatients[0];
    const correct = (externalId: string) =>
      call(service, `${path}/${referenceId}`, { method: 'PATCH', token, json: { externalId } });
    assert.deepEqual((await correct('MRN 70')).body.warnings, [warning]);
    assert.equal('warnings' in (await correct('MRN 72')).body, false);
    // The same person in another project.
    const projectId = await newProject(service, 'Another');
    assert.equal('warnings' in (await enroll([third], { projectId })).body, false);
  });

  for (const [fault, item] of [
    ['no e-mail', { firstName: 'A', lastName: 'B' }],
    ['a blank first name', { ...buildPerson(), firstName: ' ' }],
    ['no last name', { ...buildPerson(), lastName: undefined }],
    ['a language that is none', { ...buildPerson(), languagePreference: 'español!' }],
    ['a birthday that does not exist', { ...buildPerson(), dateOfBirth: '2001-02-30' }],
    ['a birthday that is yet to come', { ...buildPerson(), dateOfBirth: '9999-12-31' }],
    ['a phone number that is none', { ...buildPerson(), phone: 'call me' }],
    ['U+0000 in a text', { ...buildPerson(), externalId: 'a\0b' }],
    ['half of a surrogate pair in a name', { ...buildPerson(), lastName: 'It\ud800o' }],
    ['null for an item', null],
    ['a text for an item', 'a@example.org'],
  ] as const) {
    it(`reports ${fault} in errors and enrolls the others`, async () => {
      const { status, body } = await enroll([item, buildPerson()]);
      assert.deepEqual(
        [status, body.successCount, body.errorCount, body.errors[0].patientIndex],
        [200, 1, 1, 0],
      );
    });
  }

  it('takes addresses that differ only in case for one person, in one request and in later ones', async () => {
    const { email } = buildPerson();
    const first = await enroll([
      { ...buildPerson(), email },
      { ...buildPerson(), email: email.toUpperCase() },
    ]);
    const { referenceId } = first.body.successfulPatients[0];
    assert.deepEqual(first.body.duplicates, [
      { patientIndex: 1, email: email.toUpperCase(), referenceId, consents: [] },
    ]);
    const later = await enroll([{ ...buildPerson(), email: email.replace('person', 'PERSON') }]);
    assert.equal(later.body.duplicates[0].referenceId, referenceId);
  });

  it('keeps one patient for one address across projects', async () => {
    const item = buildPerson();
    const first = await enroll([item]);
    const second = await enroll([item], { projectId: await newProject(service) });
    assert.deepEqual(second.body.successfulPatients, first.body.successfulPatients);
  });

  it('makes one patient of an address that several requests bring at once', async () => {
    const item = buildPerson();
    const answers = await Promise.all(Array.from({ length: 6 }, () => enroll([item, buildPerson()])));
    assert.equal(answers.filter(({ body }) => body.successCount === 2).length, 1);
    const ids = answers.map(
      ({ body }) =>
        [...body.successfulPatients, ...body.duplicates].find(({ email }) => email === item.email)
          .referenceId as string,
    );
    assert.equal(new Set(ids).size, 1);
  });

  it('takes 1,000 people in one request and refuses 1,001 and none', async () => {
    const thousand = Array.from({ length: 1000 }, () => buildPerson());
    const { status, body } = await enroll(thousand);
    assert.deepEqual([status, body.totalProcessed, body.successCount], [200, 1000, 1000]);
    assert.equal((await enroll([...thousand, buildPerson()])).status, 400);
    assert.equal((await enroll([])).status, 400);
  });

  it('enrolls a test patient of the organization by their address', async () => {
    const patient = await newTestPatient(service);
    const { body } = await enroll([{ ...buildPerson(), email: patient.email }], {
      projectId: await newProject(service),
    });
    assert.equal(body.successfulPatients[0].referenceId, patient.id);
  });

  it('does not enroll a test patient of another organization, nor says whose it is', async () => {
    const foreigner = await newTestPatient(service, { organization: await newOrganization(service) });
    const { body } = await enroll([{ ...buildPerson(), email: foreigner.email }]);
    assert.deepEqual(body.errors, [
      { patientIndex: 0, email: foreigner.email, error: 'This e-mail address cannot be enrolled.' },
    ]);
  });

  it('is one 403 for a project of another organization and an unknown one, and 400 for no UUID', async () => {
    const { projectId } = await newOrganization(service);
    const foreign = await enroll([buildPerson()], { projectId });
    const unknown = await enroll([buildPerson()], { projectId: '00000000-0000-4000-8000-000000000000' });
    assert.deepEqual([unknown.status, unknown.body], [403, foreign.body]);
    assert.equal((await enroll([buildPerson()], { projectId: 'study' })).status, 400);
  });

  it('leaves an audit entry that counts and names nobody, and one for each who is newly enrolled', async () => {
    const projectId = await newProject(service);
    const known = buildPerson();
    const { body } = await enroll([known, known, null], { projectId });
    const rows = await service.store.db.query(sql<{
      action: string;
      actor_kind: string;
      actor_id: string;
      patient_id: string | null;
      detail: string;
    }>`
      select action, actor_kind, actor_id, patient_id, detail::text as detail from audit_entry
      where project_id = ${projectId} and action like 'patient%' order by entry_id`);
    const actor = { actor_kind: 'researcher', actor_id: service.organization.researcher.apiKey };
    const detail = '{"enrolled":1,"duplicates":1,"errors":1}';
    const [{ referenceId }] = body.successfulPatients;
    assert.deepEqual(rows, [
      { action: 'patients.enrolled', ...actor, patient_id: null, detail },
      { action: 'patient.enrolled', ...actor, patient_id: referenceId, detail: '{}' },
    ]);
  });
});

describe('the invitation', () => {
  it('goes to those newly enrolled, in their language, with a link into the consent page and nothing of their health', async () => {
    const [english, spanish] = [buildPerson(), buildPerson({ languagePreference: 'es-MX' })];
    await enroll([english, spanish, english], { suppressNotifications: false });
    const mails = await readOutbox(2);
    const to = (email: string): string => mails.find((mail) => mail.includes(`To: ${email}`)) ?? '';
    const link = `${service.config.http.consentAppUrl}/#/patient-consent/${service.organization.projectId}/enrollment/link`;
    assert.match(to(english.email), /Subject: Clinic \d+ invites you/);
    assert.match(to(spanish.email), /Subject: Clinic \d+ le invita/);
    for (const mail of mails) assert.ok(decodeText(mail).includes(link), mail);
    assert.match(decodeText(to(spanish.email)), /En esta página/);
  });

  it('promises a question where the project asks one by itself, and none where it does not', async () => {
    const admin = await getOrganizationToken(service, 'admin');
    const url = `/v1/organizations/${service.organization.organizationId}/projects`;
    const create = async (json: object): Promise<string> =>
      (await call(service, url, { token: admin, json })).body.id as string;
    const silent = await create({ name: 'Silent' });
    const asking = await create({ name: 'Asking', consentTypes: [{ type: 'DATA_AUTHORIZATION' }] });
    for (const [projectId, promised] of [
      [silent, false],
      [asking, true],
    ] as const) {
      const person = buildPerson();
      await enroll([person], { projectId, suppressNotifications: false });
      const { text } = await waitForMail(service, person.email);
      assert.equal(/lets you decide/.test(text ?? ''), promised);
      assert.equal(/asks you for no decision now/.test(text ?? ''), !promised);
    }
  });

  it('is not sent to test patients, to those already enrolled, or with suppressNotifications', async () => {
    const patient = await newTestPatient(service);
    const [known, silent, last] = [buildPerson(), buildPerson(), buildPerson()];
    await enroll([known, silent]);
    const sent = (await readOutbox(0)).length;
    await enroll([known, { ...buildPerson(), email: patient.email }], { suppressNotifications: false });
    await enroll([{ ...buildPerson(), email: patient.email }], {
      suppressNotifications: false,
      projectId: await newProject(service),
    });
    await enroll([last], { suppressNotifications: false });
    const mails = await readOutbox(sent + 1);
    assert.equal(mails.length, sent + 1);
    assert.ok(mails.some((mail) => mail.includes(`To: ${last.email}`)));
  });

  it('cannot be given further recipients or lines by names and addresses', async () => {
    const sent = (await readOutbox(0)).length;
    const { body } = await enroll(
      [
        { ...buildPerson(), email: 'a@example.org\r\nBcc: all@example.org' },
        { ...buildPerson(), email: 'a@example.org, b@example.org' },
        { ...buildPerson(), firstName: 'Kim\r\nBcc: all@example.org\r\n' },
      ],
      { suppressNotifications: false },
    );
    assert.deepEqual([body.errorCount, body.successCount], [2, 1]);
    const mails = await readOutbox(sent + 1);
    assert.ok(mails.every((mail) => !/^Bcc:/im.test(mail.slice(0, mail.indexOf('\r\n\r\n')))));
  });
});

/** Every mail written so far, once there are `least`. */
async function readOutbox(least: number): Promise<string[]> {
  const folder = path.join(service.config.db.dataDirectory, 'outbox');
  for (;;) {
    await service.worker.drain();
    const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
    if (files.length >= least) return files.map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A mail's body, its quoted-printable encoding undone. */
function decodeText(mail: string): string {
  const body = mail.slice(mail.indexOf('\r\n\r\n'));
  if (!/Content-Transfer-Encoding: quoted-printable/i.test(mail)) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
