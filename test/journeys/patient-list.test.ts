import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { PatientId, ProjectId } from '../../contract/brands.ts';
import { enrollByConsent } from '../../server/identity/patients/patients.sql.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { newAccount, newPerson } from '../harness/account.ts';
import { listMailsTo, waitForMail } from '../harness/mails.ts';
import { newMember, signInAs } from '../harness/member.ts';
import {
  call,
  callTool,
  getOrganizationToken,
  newOrganization,
  newProject,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { createAccount, decideEnrollment, invite, newStudy, type InvitedPerson } from '../harness/study.ts';

let service: TestService;
let token: string;
let projectId: string;
let base: string;
before(async () => {
  service = await startTestService({ environment: { CHARTGATE_SIGN_UP_LIMIT: '1000' } });
  token = await getOrganizationToken(service, 'researcher');
  projectId = await newStudy(service);
  base = `/v1/organizations/${service.organization.organizationId}/patients`;
});
after(() => service.stop());

const list = async (query = '', on = projectId): Promise<HttpResponse> =>
  call(service, `${base}?projectId=${on}&${query}`, { token });
const found = async (query: string, on = projectId): Promise<string[]> => {
  const { status, body } = await list(query, on);
  assert.equal(status, 200, JSON.stringify(body));
  return (body.results as { patientId: string }[]).map((item) => item.patientId);
};
const findState = async ({ patientId }: Pick<InvitedPerson, 'patientId'>): Promise<string> =>
  (await list(`q=${patientId}`)).body.results[0]?.state as string;
const newOne = async (more: { suppressNotifications?: boolean } = {}): Promise<InvitedPerson> => {
  const [person] = await invite(service, projectId, [newPerson()], more);
  assert.ok(person);
  return person;
};
const end = ({ patientId }: InvitedPerson, on = projectId): Promise<HttpResponse> =>
  call(service, `/v1/projects/${on}/patients/${patientId}`, { method: 'DELETE', token });

describe('the list of patients', () => {
  it('says when a record was last read for this project by this organization, and nothing of reads by others', async () => {
    const study = await newProject(service);
    const [read, unread] = [
      await newTestPatient(service, { projectId: study }),
      await newTestPatient(service, { projectId: study }),
    ];
    const elsewhere = await newTestPatient(service, { organization: await newOrganization(service) });
    await callTool(service, read, 'get_labs');
    await callTool(service, elsewhere, 'get_labs');
    const { body } = await list('', study);
    const times = new Map<string, string | null>(
      body.results.map((item: { patientId: string; lastReadAt: string | null }) => [
        item.patientId,
        item.lastReadAt,
      ]),
    );
    assert.equal(times.get(unread.id), null);
    assert.match(times.get(read.id) ?? '', /^20/);
  });

  it('finds who is in a state at a connected server of the organization, and nobody by that of another one', async () => {
    const study = await newStudy(service);
    const people = await invite(
      service,
      study,
      Array.from({ length: 4 }, () => newPerson()),
    );
    const [ambiguous, failed, elsewhere, ended] = people as [
      InvitedPerson,
      InvitedPerson,
      InvitedPerson,
      InvitedPerson,
    ];
    const organizationId = service.organization.organizationId;
    const put = (
      { patientId }: InvitedPerson,
      state: string,
      of: string = organizationId,
    ): Promise<unknown> =>
      service.store.db.query(sql`
        insert into source_sync (patient_id, source_id, organization_id, state, requested_at)
        values (${patientId}, ${randomUUID()}, ${of}, ${state}, now())`);
    await put(ambiguous, 'ambiguous_match');
    await put(ambiguous, 'up_to_date');
    await put(failed, 'failed');
    await put(elsewhere, 'ambiguous_match', randomUUID());
    await put(ended, 'ambiguous_match');
    await end(ended, study);
    assert.deepEqual(await found('sourceState=ambiguous_match', study), [ambiguous.patientId]);
    assert.deepEqual(await found('sourceState=up_to_date', study), [ambiguous.patientId]);
    assert.deepEqual(
      (await found('sourceState=failed,ambiguous_match', study)).toSorted(),
      [ambiguous.patientId, failed.patientId].toSorted(),
    );
    assert.deepEqual(await found('sourceState=up_to_date,waiting', study), [ambiguous.patientId]);
    assert.deepEqual(await found('sourceState=failed&state=invited', study), [failed.patientId]);
    assert.deepEqual(await found('sourceState=failed&state=ended', study), []);
    assert.deepEqual(await found('sourceState=failed&state=ended,invited', study), [failed.patientId]);
    const byState = { present: 3, past: 1 };
    assert.equal((await found('state=enrolled,invited', study)).length, byState.present);
    assert.equal((await found('state=ended,deleted', study)).length, byState.past);
    assert.deepEqual(await found('state=ended,invited', study), await found('', study));
    assert.deepEqual(await found(`state=ended,invited&limit=2`, study), (await found('', study)).slice(0, 2));
    assert.equal((await list('sourceState=lost', study)).status, 400);
  });

  it('shows how far each has come, from the enrollment to the deletion of the account, and nobody disappears', async () => {
    const person = await newOne({ suppressNotifications: true });
    const states = [await findState(person)];
    const next = async (step: Promise<unknown>): Promise<void> => {
      await step;
      states.push(await findState(person));
    };
    await next(
      call(service, `/v1/projects/${projectId}/patients/${person.patientId}/invitation`, {
        method: 'POST',
        token,
      }),
    );
    const link = async (): Promise<void> => {
      await person.browser.post('/account/sign-up', { email: person.email, language: 'en', projectId });
      const { text = '' } = await waitForMail(service, person.email, 2);
      const [, secret] = /#\/account\/link\/(\S+)/.exec(text) ?? [];
      assert.equal((await person.browser.post('/account/link', { token: secret })).status, 200);
    };
    await next(link());
    await next(createAccount(service, person, projectId));
    await next(decideEnrollment(person, projectId, { decision: 'deny' }));
    await next(decideEnrollment(person, projectId));
    await next(
      person.browser.post('/account/consents/withdraw', { projectId, consentType: 'DATA_AUTHORIZATION' }),
    );
    await next(decideEnrollment(person, projectId));
    await service.store.db.query(
      sql`update enrollment set consents_until = now() - interval '1 day' where patient_id = ${person.patientId}`,
    );
    states.push(await findState(person));
    await next(end(person));
    await next(invite(service, projectId, [person], { suppressNotifications: true }));
    const { password } = person;
    await next(person.browser.post('/account/delete', { password }));
    assert.deepEqual(states, [
      'enrolled',
      'invited',
      'opened',
      'has_account',
      'declined',
      'consents',
      'withdrew',
      'consents',
      'expired',
      'ended',
      // Enrolled again, and they have not come to it.
      'enrolled',
      'deleted',
    ]);
    const { body } = await list(`q=${person.patientId}`);
    assert.deepEqual(
      body.results.map(({ email, lastName, externalId }: Record<string, unknown>) => [
        email,
        lastName,
        externalId,
      ]),
      [[null, null, null]],
    );
    assert.ok((await found('state=deleted')).includes(person.patientId));
    assert.deepEqual(await found('state=ended'), []);
  });

  it('gives people random ids, which hold no time', async () => {
    const { patientId } = await newOne();
    const tested = await newTestPatient(service, { projectId });
    for (const id of [patientId, tested.id]) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  });

  it('shows a deleted account only where the person had come to the invitation', async () => {
    const person = await newOne();
    await createAccount(service, person, projectId);
    const [project, former] = [await newProject(service, 'Silent'), await newProject(service, 'Former')];
    for (const each of [project, former])
      await invite(service, each, [person], { suppressNotifications: true });
    await end(person, former);
    const { password } = person;
    assert.equal((await person.browser.post('/account/delete', { password })).status, 204);
    assert.deepEqual(await found('state=deleted', project), []);
    for (const each of [project, former]) {
      const { body } = await list('state=ended', each);
      assert.deepEqual(
        body.results.map(({ patientId, externalId, lastName }: Record<string, unknown>) => [
          patientId,
          externalId,
          lastName,
        ]),
        [[person.patientId, null, null]],
      );
      const { body: log } = await call(
        service,
        `${base.replace('patients', 'audit-events')}?patientId=${person.patientId}`,
        { token: await getOrganizationToken(service, 'admin') },
      );
      const ends = log.results.filter(
        ({ action, projectId: of }: Record<string, unknown>) => action === 'enrollment.ended' && of === each,
      );
      assert.equal(ends.length, 1, 'as for every enrollment that ended');
    }
  });

  it('finds people by the beginning of names, address, id and telephone, without regard to case and accents', async () => {
    const project = await newProject(service, 'Search');
    const patients = [
      { email: 'Zoe.Q@one.example', firstName: 'Zoë', lastName: 'Núñez-Ortega', externalId: 'MRN 10_0' },
      { email: 'quim@two.example', firstName: 'Quim', lastName: 'Nunez', phone: '+1 (555) 010-7777' },
      { email: 'p100+x@three.example', firstName: 'Per', lastName: 'O’Dwyer', externalId: 'mrn 1000' },
    ];
    const { body } = await call(service, `/v1/projects/${project}/patients`, {
      token,
      json: { patients, suppressNotifications: true },
    });
    const ids = (body.successfulPatients as { referenceId: string }[]).map(({ referenceId }) => referenceId);
    const search = async (q: string): Promise<number[]> =>
      (await found(`q=${encodeURIComponent(q)}`, project))
        .map((id) => ids.indexOf(id))
        .sort((one, other) => one - other);
    for (const [q, expected] of [
      ['zoe', [0]],
      ['NÚÑ', [0, 1]],
      ['nunez-ortega, zo', [0]],
      ['nunez, q', [1]],
      ['Zoe  nunez-', [0]],
      ['ZOE.Q@', [0]],
      ['mrn 10', [0, 2]],
      ['mrn 10_', [0]],
      ['p100+x', [2]],
      ['%', []],
      ['+1 555 0107', [1]],
      ["o'", []],
      [ids[2] as string, [2]],
      ['ortega', []],
    ] as const)
      assert.deepEqual(await search(q), expected, q);
  });

  it('goes through the pages newest first, each enrollment once, also those enrolled in one call', async () => {
    const project = await newProject(service, 'Pages');
    const seven = Array.from({ length: 7 }, () => newPerson());
    const people = await invite(service, project, seven, { suppressNotifications: true });
    assert.equal((await end(people[3] as InvitedPerson, project)).status, 204);
    const seen: string[] = [];
    let after = '';
    for (let pages = 0; pages < 10; pages++) {
      const { body } = await list(`limit=3${after}`, project);
      seen.push(...body.results.map((item: { patientId: string }) => item.patientId));
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    assert.equal(seen.length, 7);
    assert.deepEqual(seen.toSorted(), people.map(({ patientId }) => patientId).sort());
  });

  it('refuses unknown parameters, and what is no place of the list (case 283)', async () => {
    for (const query of [
      'state=unknown',
      'state=invited,unknown',
      'after=1',
      'after=9.x.y',
      'limit=0',
      'name=Ana',
      'q=',
    ])
      assert.equal((await list(query)).status, 400, query);
    const far = `999999999999999.${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`;
    assert.equal((await list(`after=${far}`)).status, 200);
  });

  it('holds nothing of other organizations and projects, for no identifier, and no name for whom the organization did not enroll (case 280, case 281)', async () => {
    const person = await newOne();
    const { organizationId } = service.organization;
    const other = await newOrganization(service);
    const { patientId, email } = person;
    const stranger = await getOrganizationToken(service, 'admin', other);
    const named = { email, firstName: 'Not', lastName: 'Theirs' };
    await call(service, `/v1/projects/${other.projectId}/patients`, {
      token: await getOrganizationToken(service, 'researcher', other),
      json: { patients: [named], suppressNotifications: true },
    });
    const theirs = `/v1/organizations/${other.organizationId}/patients`;
    const seen = (await call(service, `${theirs}?q=${patientId}`, { token: stranger })).body.results;
    assert.deepEqual(
      seen.map((item: Record<string, unknown>) => [item['firstName'], item['lastName'], item['state']]),
      [['Not', 'Theirs', 'enrolled']],
    );
    assert.deepEqual(
      (await call(service, `${theirs}?q=${person.lastName}`, { token: stranger })).body.results,
      [],
    );
    assert.equal((await call(service, base, { token: stranger })).status, 403);

    const account = await newAccount(service, createTestBrowser(service));
    const [guest] = await service.store.db.query(
      sql<{ patient_id: PatientId }>`select patient_id from patient_email where email = ${account.email}`,
    );
    assert.ok(guest);
    await service.store.db.query(
      enrollByConsent(guest.patient_id, projectId as ProjectId, service.clock.now()),
    );
    const [came] = (await list(`q=${guest.patient_id}`)).body.results;
    assert.deepEqual(
      [came.email, came.firstName, came.lastName, came.state],
      [null, null, null, 'has_account'],
    );
    const changed = await call(service, `/v1/projects/${projectId}/patients/${guest.patient_id}`, {
      method: 'PATCH',
      token,
      json: { externalId: 'APP 1' },
    });
    assert.deepEqual([changed.body.email, changed.body.lastName], [null, null]);

    const elsewhere = await newProject(service, 'Elsewhere');
    await call(service, `/v1/projects/${projectId}/patients/${patientId}`, {
      method: 'PATCH',
      token,
      json: { externalId: 'SECRET 9', phone: '+1 555 9999' },
    });
    const limited = await signInAs(
      service,
      await newMember(service, 'researcher', { projectIds: [elsewhere] }),
    );
    for (const q of ['SECRET', patientId, email, '+15559999'])
      assert.deepEqual((await limited.get(`${base}?q=${encodeURIComponent(q)}`)).body.results, []);
    assert.deepEqual((await limited.get(`${base}?projectId=${projectId}`)).body.results, []);
    const refused = await limited.get(`${base}/${patientId}`);
    assert.deepEqual([refused.status, refused.body.code], [403, 'no_consent']);
    const unknown = await limited.get(`${base}/01999999-0000-7000-8000-000000000000`);
    assert.deepEqual(unknown.body.detail, refused.body.detail);
    const developer = await signInAs(service, await newMember(service, 'developer'));
    assert.deepEqual(
      [(await developer.get(base)).status, (await developer.get(`${base}/${patientId}`)).status],
      [403, 403],
    );
    assert.equal(
      (
        await call(
          service,
          `/v1/organizations/${organizationId}/patients/funnel?from=2020-01-01T00:00:00Z&to=2040-01-01T00:00:00Z`,
          { token: stranger },
        )
      ).status,
      403,
    );
  });
});

describe('the details of a patient', () => {
  it('say what happened and nothing of the record, and the patient reads that they were looked at (case 284)', async () => {
    const person = await newOne();
    await createAccount(service, person, projectId);
    const decision = await decideEnrollment(person, projectId);
    assert.equal(decision.status, 200, JSON.stringify(decision.body));
    const member = await newMember(service, 'auditor');
    const { status, body } = await (await signInAs(service, member)).get(`${base}/${person.patientId}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      [body.email, body.isTestPatient, body.enrollments.length, body.enrollments[0].state],
      [person.email, false, 1, 'consents'],
    );
    const { invitedAt, openedAt, accountAt, decidedAt } = body.enrollments[0];
    const times = [invitedAt, openedAt, accountAt, decidedAt] as string[];
    assert.deepEqual(
      times,
      times.toSorted((one, other) => (one < other ? -1 : 1)),
    );
    assert.deepEqual([body.consents.length, body.consents[0].isInForce], [1, true]);
    assert.deepEqual(body.uploads, { byStatus: {}, rejectedDocuments: 0, lastReceivedAt: null, newest: [] });
    assert.deepEqual(
      body.timeline.map(({ action }: { action: string }) => action),
      ['consent.recorded', 'patient.enrolled'],
    );
    const log = await person.browser.get('/account/access-log');
    const [look] = log.body.results;
    assert.deepEqual([look.action, look.actor], ['patient.viewed', { kind: 'member', id: member.memberId }]);
    const recordPath = `/v1/consents/${body.consents[0].consentRecordId}`;
    const { body: record } = await call(service, recordPath, { token });
    assert.deepEqual(body.consents[0].consentDataResourceScopes, record.consentDataResourceScopes);
    assert.deepEqual(body.consents[0].consentDataSensitivityScopes, record.consentDataSensitivityScopes);
    await person.browser.post('/account/consents/withdraw', { projectId, consentType: 'DATA_AUTHORIZATION' });
    const later = await call(service, `${base}/${person.patientId}`, { token });
    assert.deepEqual([later.body.uploads, later.body.enrollments[0].state], [null, 'withdrew']);
  });
});

describe('invitations to a filter', () => {
  it('are counted first, sent once a day to those who have decided nothing, and two calls at once send each once (case 282)', async () => {
    const study = await newStudy(service);
    const four = Array.from({ length: 4 }, () => newPerson());
    const people = await invite(service, study, four, { suppressNotifications: true });
    const [first, decided] = people as [InvitedPerson, InvitedPerson];
    await createAccount(service, decided, study);
    await decideEnrollment(decided, study, { decision: 'deny' });
    const send = (json: object): Promise<HttpResponse> =>
      call(service, `${base}/invitations`, { token, json: { projectId: study, ...json } });
    const dry = await send({ dryRun: true });
    assert.deepEqual(
      [dry.status, dry.body],
      [202, { matched: 3, recentlyInvited: 0, sent: 0, remaining: 3 }],
    );
    assert.deepEqual((await send({ dryRun: true, state: 'opened' })).body.matched, 0);
    assert.deepEqual((await send({ dryRun: true, state: ['opened', 'enrolled'] })).body.matched, 3);
    assert.equal((await send({ dryRun: true, state: ['invited', 'consents'] })).status, 400);
    const both = await Promise.all([send({}), send({})]);
    assert.equal(both[0].body.sent + both[1].body.sent, 3);
    assert.deepEqual((await send({})).body, { matched: 3, recentlyInvited: 3, sent: 0, remaining: 0 });
    await waitForMail(service, first.email);
    assert.equal((await listMailsTo(service, first.email)).length, 1);
    assert.equal((await found('state=invited', study)).length, 3);
    const soon = new Date(Date.now() + 60_000).toISOString();
    assert.equal((await found(`invitedBefore=${soon}`, study)).length, 3);

    const { body } = await call(
      service,
      `${base}/funnel?projectId=${study}&from=2020-01-01T00:00:00Z&to=2040-01-01T00:00:00Z`,
      { token },
    );
    const { medianSeconds, ...total } = body.total;
    assert.deepEqual(total, { invited: 3, opened: 0, hasAccount: 0, consented: 0, declined: 0 });
    assert.deepEqual(medianSeconds, { toOpened: null, toAccount: null, toDecision: null });
    assert.equal(body.weeks.length, 1);
    await createAccount(service, first, study);
    await decideEnrollment(first, study);
    const later = await call(
      service,
      `${base}/funnel?projectId=${study}&from=2020-01-01T00:00:00Z&to=2040-01-01T00:00:00Z`,
      { token },
    );
    assert.deepEqual(
      [later.body.total.opened, later.body.total.hasAccount, later.body.total.consented],
      [1, 1, 1],
    );
    assert.ok(later.body.weeks[0].medianSeconds.toDecision > 0);
  });
});

describe('enrollments of a filter', () => {
  it('are counted first, and each ends as one ends alone; whoever was not counted stays', async () => {
    const study = await newStudy(service);
    const people = [
      ...(await invite(service, study, [newPerson(), newPerson()], { suppressNotifications: true })),
      ...(await invite(service, study, [newPerson()])),
    ];
    const [consenting, denying, silent] = people as [InvitedPerson, InvitedPerson, InvitedPerson];
    for (const person of [consenting, denying]) await createAccount(service, person, study);
    await decideEnrollment(consenting, study);
    await decideEnrollment(denying, study, { decision: 'deny' });
    const send = (json: object): Promise<HttpResponse> =>
      call(service, `${base}/end-enrollments`, { token, json: { projectId: study, ...json } });

    const dry = await send({ dryRun: true });
    assert.deepEqual([dry.status, dry.body], [200, { matched: 3, consenting: 1, ended: 0, remaining: 3 }]);
    // Fewer were counted than there are, nothing was counted, and a filter that there is not: nobody is ended.
    const refused = await Promise.all([
      send({ expected: 2 }),
      send({}),
      send({ expected: 3, sourceState: 'failed' }),
    ]);
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code]),
      [
        [409, 'more_matched'],
        [400, 'invalid_input'],
        [400, 'invalid_input'],
      ],
    );
    assert.equal((await found('', study)).length, 3);

    const some = await send({ state: 'consents', expected: 1 });
    assert.deepEqual(some.body, { matched: 1, consenting: 1, ended: 1, remaining: 0 });
    assert.deepEqual(await found('state=ended', study), [consenting.patientId]);
    const events = await service.store.db.query(
      sql`select data->>'withdrawalSource' as source from webhook_event
        where patient_id = ${consenting.patientId} and type = 'consent.withdrawn'`,
    );
    assert.deepEqual(events, [{ source: 'ORGANIZATION' }]);
    const log = await consenting.browser.get('/account/access-log');
    assert.ok(log.body.results.some(({ action }: { action: string }) => action === 'enrollment.ended'));

    // Two calls at once end each once.
    const both = await Promise.all([send({ expected: 2 }), send({ expected: 2 })]);
    assert.equal(both[0].body.ended + both[1].body.ended, 2);
    assert.equal((await found('state=ended', study)).length, 3);
    const ended = await waitForMail(service, silent.email, 2);
    assert.match(ended.subject ?? '', /you no longer take part/);
    // Whoever never came has no page to find a record and decisions on.
    assert.match(ended.text ?? '', /nothing of yours was shared/);
    assert.doesNotMatch(ended.text ?? '', /my-data|Your record/);
    assert.match(
      (await listMailsTo(service, consenting.email)).at(-1)?.text ?? '',
      /can no longer read[^]+your own page:\n\n.+my-data/,
    );
    // Whoever said no was not read, and has a page.
    const declined = (await listMailsTo(service, denying.email)).at(-1)?.text ?? '';
    assert.match(declined, /had not said yes[^]+your own page:\n\n.+my-data/);
    assert.doesNotMatch(declined, /no longer read/);
    assert.equal((await listMailsTo(service, silent.email)).length, 2);
    const elsewhere = await newOrganization(service);
    const foreign = await call(
      service,
      `/v1/organizations/${elsewhere.organizationId}/patients/end-enrollments`,
      {
        token: await getOrganizationToken(service, 'researcher', elsewhere),
        json: { projectId: study, dryRun: true },
      },
    );
    assert.equal(foreign.body.matched, 0);
  });
});
