import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CompactSign, decodeJwt, decodeProtectedHeader, generateKeyPair, type JWTPayload } from 'jose';
import { ConsentReceipt, ReceiptReference } from '../../contract/organization/receipt.ts';
import {
  listAllSigningKeys,
  rotateSigningKeys,
  createSigningKeys,
} from '../../server/platform/keys/signing-keys.ts';
import { importVerifyingKeys, type VerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import { parseKeySet, verifyReceipt } from '../../server/consent/receipts/verify-receipt.ts';
import { Refusal } from '../../server/platform/kernel/refusal.ts';
import { hashPassword } from '../../server/platform/kernel/password.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { asks as enAsks } from '../../web/consent/src/words/en/asks.ts';
import { review as enReview } from '../../web/consent/src/words/en/review.ts';
import { asks as esAsks } from '../../web/consent/src/words/es/asks.ts';
import { review as esReview } from '../../web/consent/src/words/es/review.ts';
import { patientEn } from '../../web/patient/words/en.ts';
import { patientEs } from '../../web/patient/words/es.ts';
import { newAccount } from '../harness/account.ts';
import {
  buildAuthorizePath,
  decideRequest,
  createPkce,
  registerClient,
  getRequestId,
} from '../harness/authorization.ts';
import { runCommand } from '../harness/cli.ts';
import { recordConsentWithScreenshots } from '../harness/consent-record.ts';
import { createPng } from '../harness/evidence.ts';
import { isLong } from '../harness/long.ts';
import { listMailsTo, waitForMail } from '../harness/mails.ts';
import { runNode, type ExitResult } from '../harness/process.ts';
import {
  call,
  decide,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';
import { PROGRAM } from '../harness/program.ts';

const reviewWords = { en: enReview, es: esReview };
const askWords = { en: enAsks, es: esAsks };
const patientWords = { en: patientEn.common, es: patientEs.common };

let service: TestService;
let admin: string;
before(async () => {
  service = await startTestService();
  admin = await getOrganizationToken(service);
});
after(() => service.stop());

const get = (id: string, accept?: string): Promise<HttpResponse> =>
  call(service, `/v1/consents/${id}/receipt`, {
    token: admin,
    ...(accept !== undefined && { headers: { accept } }),
  });

const getReceipt = async (id: string): Promise<string> => (await get(id, 'application/jose')).body as string;

const publishedKeys = async (): Promise<string> =>
  JSON.stringify((await call(service, '/.well-known/jwks.json')).body);

const projectContent = {
  en: {
    title: 'Hearts in winter',
    purpose: 'To learn how cold days change blood pressure.',
    categoryPurposes: { LABS: 'To see your cholesterol.', MEDICATIONS: 'To see what you take.' },
  },
  es: {
    title: 'Corazones en invierno',
    purpose: 'Para saber cómo cambia la presión con el frío.',
    categoryPurposes: { LABS: 'Para ver su colesterol.' },
  },
  contact: { name: 'Dr. Larch', email: 'study@clinic.example', phone: null },
};

async function createStudyPatient(): Promise<TestPatient> {
  const { body } = await call(service, `/v1/organizations/${service.organization.organizationId}/projects`, {
    token: admin,
    json: { name: 'HW-7 internal', content: projectContent },
  });
  return newTestPatient(service, { projectId: body.id as string, consent: false });
}

const code = (expected: string) => (error: unknown) => error instanceof Refusal && error.code === expected;

describe('a consent receipt', () => {
  it('is JSON for who asks for JSON, and a file for everybody else', async () => {
    const patient = await newTestPatient(service);
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient);
    const json = await get(consentRecordId, 'application/json');
    assert.match(json.headers.get('content-type') ?? '', /^application\/json/);
    assert.deepEqual(Object.keys(json.body), ['receipt']);
    for (const accept of ['*/*', 'application/jose', 'text/html']) {
      const file = await get(consentRecordId, accept);
      assert.equal(file.status, 200);
      assert.equal(file.headers.get('content-type'), 'application/jose');
      assert.equal(
        file.headers.get('content-disposition'),
        `attachment; filename="consent-receipt-${consentRecordId}.jws"`,
      );
      assert.match(file.body as string, /^[\w-]+\.[\w-]+\.[\w-]+$/);
      assert.equal(file.headers.get('vary'), 'accept');
    }
  });

  it('says, signed, who decided what in which words, for whom, until when, and what proves it', async () => {
    const patient = await createStudyPatient();
    const images = [createPng(210, 210), createPng(211, 211)];
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient, {
      images,
      language: 'es',
      scopes: {
        resourceScopes: ['LABS', 'MEDICATIONS', 'VISITS'],
        sensitivityScopes: ['NORMAL', 'GENETIC_TESTING'],
      },
      representative: { name: 'Kim Larsen', authority: 'guardian' },
    });
    const jws = await getReceipt(consentRecordId);
    const header = decodeProtectedHeader(jws);
    assert.deepEqual([header.alg, header.typ], ['ES256', 'consent-receipt+jwt']);
    const verified = await verifyReceipt(jws, await parseKeySet(await publishedKeys()));
    assert.ok(verified.kind === 'receipt');
    assert.deepEqual(ConsentReceipt.parse(decodeJwt(jws)), decodeJwt(jws), 'the schema says all of it');
    const record = (await call(service, `/v1/consents/${consentRecordId}`, { token: admin })).body;
    const { iss, sub, iat, jti, ...body } = verified.receipt;
    assert.deepEqual([iss, sub], [service.baseUrl, patient.id]);
    assert.ok(Math.abs(iat - service.clock.now().getTime() / 1000) < 60);
    assert.match(jti, /^[0-9a-f-]{36}$/);
    const { organizationId } = service.organization;
    const controller = {
      party_id: organizationId,
      party_role: 'pii_controller',
      party_name: body.party_identification[1]?.party_name,
      party_contact: projectContent.contact,
    };
    assert.match(controller.party_name ?? '', /^Clinic/);
    const none = { party_name: null, party_contact: null };
    const client = {
      ...none,
      party_id: 'https://agent.example/client.json',
      party_role: 'recipient',
      party_name: 'Test agent',
    };
    const { withdrawal_method, privacy_rights, storage_conditions, ...purpose } = body.pii_processing
      .purposes[0] as ConsentReceipt['pii_processing']['purposes'][number];
    assert.ok(withdrawal_method.endsWith(`${service.config.http.consentAppUrl}/#/my-data`));
    assert.ok(privacy_rights.includes('retirar el consentimiento'));
    assert.match(storage_conditions, /historial/);
    const classes = { sensitive_pii_category: true, sensitivity_scopes: ['NORMAL', 'GENETIC_TESTING'] };
    assert.deepEqual(
      { ...body, pii_processing: { ...body.pii_processing, purposes: [purpose] } },
      {
        schema_version: 'ISO/IEC TS 27560:2023',
        record_id: consentRecordId,
        pii_principal_id: patient.id,
        pii_processing: {
          privacy_notice: {
            study_id: patient.projectId,
            study_snapshot_id: record.studySnapshotId,
            title: projectContent.es.title,
          },
          language: 'es',
          purposes: [
            {
              purpose: projectContent.es.purpose,
              purpose_type: 'PATIENT_DIRECTED_DATA_EXCHANGE',
              lawful_basis: 'explicit_consent',
              pii_information: [
                { pii_type: 'LABS', ...classes, purpose: projectContent.es.categoryPurposes.LABS },
                // Written in English alone, and shown so on the Spanish review.
                {
                  pii_type: 'MEDICATIONS',
                  ...classes,
                  purpose: projectContent.en.categoryPurposes.MEDICATIONS,
                  purpose_language: 'en',
                },
                { pii_type: 'VISITS', ...classes, purpose: null },
              ],
              pii_controllers: [controller],
              recipient_third_parties: [client],
              collection_method: 'PATIENT_DIRECTED_DATA_EXCHANGE',
              geographic_restrictions: null,
              expiry: record.expirationTimestamp,
            },
          ],
        },
        party_identification: [
          { ...none, party_id: patient.id, party_role: 'pii_principal' },
          controller,
          client,
          {
            ...none,
            party_id: 'representative',
            party_role: 'authorized_representative',
            party_name: 'Kim Larsen (guardian)',
          },
        ],
        event_schema: [
          {
            event_type: 'explicit',
            event_state: 'given',
            event_time: record.timestamp,
            validity_duration: 'PT31536000S',
            entity: 'representative',
          },
        ],
        evidence: {
          organizationId,
          studySnapshotId: record.studySnapshotId,
          consentUIFlow: 'PATIENT_DIRECTED_DATA_EXCHANGE',
          uiHash: 'c0ffee',
          screenshots: images.map((image, place) => ({
            id: body.evidence.screenshots[place]?.id,
            screen: ['review', 'signature'][place],
            sha256: createHash('sha256').update(image).digest('hex'),
          })),
          recordHash: body.evidence.recordHash,
        },
      },
    );
  });

  it('states words that are written in the other language alone, and names that language', async () => {
    const { organizationId } = service.organization;
    const { body } = await call(service, `/v1/organizations/${organizationId}/projects`, {
      token: admin,
      json: { name: 'Spanish alone', content: { es: projectContent.es } },
    });
    const patient = await newTestPatient(service, { projectId: body.id as string, consent: false });
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient);
    const { pii_processing } = ConsentReceipt.parse(decodeJwt(await getReceipt(consentRecordId)));
    const [purpose] = pii_processing.purposes;
    const { title, title_language } = pii_processing.privacy_notice;
    assert.deepEqual([pii_processing.language, title, title_language], ['en', projectContent.es.title, 'es']);
    assert.deepEqual([purpose?.purpose, purpose?.purpose_language], [projectContent.es.purpose, 'es']);
    const labs = purpose?.pii_information.find(({ pii_type }) => pii_type === 'LABS');
    assert.deepEqual(
      [labs?.purpose, labs?.purpose_language],
      [projectContent.es.categoryPurposes.LABS, 'es'],
    );
  });

  it('names the version that the patient saw, whatever the project says since', async () => {
    const patient = await createStudyPatient();
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient);
    const getNotice = async () => {
      const { pii_processing } = ConsentReceipt.parse(decodeJwt(await getReceipt(consentRecordId)));
      return [pii_processing.privacy_notice.title, pii_processing.purposes[0]?.purpose];
    };
    assert.deepEqual(await getNotice(), [projectContent.en.title, projectContent.en.purpose]);
    const url = `/v1/organizations/${service.organization.organizationId}/projects/${patient.projectId}`;
    const content = { ...projectContent, en: { title: 'Another', purpose: 'Something else.' } };
    const { status } = await call(service, url, { method: 'PATCH', token: admin, json: { content } });
    assert.equal(status, 200);
    assert.deepEqual(await getNotice(), [projectContent.en.title, projectContent.en.purpose]);
  });

  it('of a project without content states its name and purpose, and no purpose that was changed since', async () => {
    const patient = await newTestPatient(service);
    const { db } = service.store;
    const { projectId } = patient;
    await db.query(sql`update project set purpose = 'To learn.' where project_id = ${projectId}`);
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient);
    const getPurpose = async () =>
      ConsentReceipt.parse(decodeJwt(await getReceipt(consentRecordId))).pii_processing.purposes[0]?.purpose;
    assert.equal(await getPurpose(), 'To learn.');
    await db.query(sql`update project set purpose = 'To sell.' where project_id = ${projectId}`);
    assert.equal(await getPurpose(), null);
    await db.query(sql`update project set purpose = null where project_id = ${projectId}`);
  });

  it('states the sentence that the page shows where the project has no purpose, with words for consents alone too', async () => {
    const patient = await newTestPatient(service);
    const getPurpose = async (more: object) => {
      const { consentRecordId } = await recordConsentWithScreenshots(service, patient, more);
      return ConsentReceipt.parse(decodeJwt(await getReceipt(consentRecordId))).pii_processing.purposes[0]
        ?.purpose;
    };
    const invitation = { uiFlow: 'PER_STUDY_PRESCREEN', client: undefined, clientName: undefined };
    const { organizationId } = service.organization;
    const { body: organization } = await call(service, `/v1/organizations/${organizationId}`, {
      token: admin,
    });
    const assertSentences = async (): Promise<void> => {
      assert.equal(await getPurpose({}), reviewWords.en.why.ownRequest('Test agent'));
      assert.equal(
        await getPurpose({ language: 'es', clientName: 'Ag\u202eent\n' }),
        reviewWords.es.why.ownRequest('Agent'),
      );
      assert.equal(
        await getPurpose({ clientName: undefined }),
        reviewWords.en.why.ownRequest(patientWords.en.unnamedClient),
      );
      assert.equal(
        await getPurpose({ clientName: ' ', language: 'es' }),
        reviewWords.es.why.ownRequest(patientWords.es.unnamedClient),
      );
      assert.equal(await getPurpose(invitation), askWords.en.why.ownRequest(organization.name));
      assert.equal(
        await getPurpose({ ...invitation, language: 'es' }),
        askWords.es.why.ownRequest(organization.name),
      );
      // Nobody was shown anything.
      assert.equal(await getPurpose({ ...invitation, uiFlow: 'API' }), null);
    };
    await assertSentences();
    // A version that says which consents it asks for, and nothing in words.
    const url = `/v1/organizations/${organizationId}/projects/${patient.projectId}`;
    const json = { consentTypes: [{ type: 'FUTURE_DATA_USE' }] };
    assert.equal((await call(service, url, { method: 'PATCH', token: admin, json })).status, 200);
    await assertSentences();
  });

  it('of a withdrawal says so, and that nothing holds', async () => {
    const patient = await newTestPatient(service);
    const { body } = await decide(service, patient, 'OPTED_OUT');
    const receipt = ConsentReceipt.parse(decodeJwt(await getReceipt(body.consentRecordId as string)));
    assert.equal(receipt.event_schema[0]?.event_state, 'withdrawn');
    assert.equal(receipt.event_schema[0]?.validity_duration, null);
    assert.equal(receipt.pii_processing.purposes[0]?.expiry, null);
  });

  it('has the same record hash at every making, and another for another record', async () => {
    const patient = await newTestPatient(service);
    const records = [
      await recordConsentWithScreenshots(service, patient),
      await recordConsentWithScreenshots(service, patient),
    ];
    const getHash = async (id: string): Promise<string> =>
      ConsentReceipt.parse(decodeJwt(await getReceipt(id))).evidence.recordHash;
    const [one = '', other = ''] = records.map(({ consentRecordId }) => consentRecordId);
    assert.equal(await getHash(one), await getHash(one));
    assert.notEqual(await getHash(one), await getHash(other));
  });

  it('is no bearer token, and no token is a receipt', async () => {
    const patient = await newTestPatient(service);
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient);
    const token = await getReceipt(consentRecordId);
    assert.equal((await call(service, `/v1/consents/${consentRecordId}`, { token })).status, 401);
    assert.equal((await call(service, '/mcp', { token, json: {} })).status, 401);
    await assert.rejects(
      verifyReceipt(admin, await parseKeySet(await publishedKeys())),
      code('not_a_receipt'),
    );
  });

  it('is made with the key that signs now; one that was made before is verified with the keys of the store for ever', async () => {
    const patient = await newTestPatient(service);
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient);
    const old = await getReceipt(consentRecordId);
    const { db } = service.store;
    for (let times = 0; times < 3; times++) await rotateSigningKeys({ db, clock: service.clock });
    service.clock.advance(61_000);
    admin = await getOrganizationToken(service);
    const renewed = await getReceipt(consentRecordId);
    const published = await parseKeySet(await publishedKeys());
    const { kind } = await verifyReceipt(renewed, published);
    assert.equal(kind, 'receipt');
    await assert.rejects(verifyReceipt(old, published), code('unknown_key'));
    await verifyReceipt(old, await importVerifyingKeys(await listAllSigningKeys(db)));
  });
});

describe('verifying a receipt', () => {
  let jws: string;
  let keys: VerifyingKeys;
  before(async () => {
    const patient = await newTestPatient(service);
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient);
    jws = await getReceipt(consentRecordId);
    keys = await parseKeySet(await publishedKeys());
  });

  it('refuses it with any single character changed into any other', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n\0é';
    await verifyReceipt(jws, keys);
    for (let at = 0; at < jws.length; at++) {
      // The last characters carry bits that a lenient decoder does not look at.
      const others =
        at >= jws.length - 2
          ? alphabet.split('')
          : [alphabet[at % 64], alphabet[(at + 31) % 64], alphabet[64 + (at % (alphabet.length - 64))]];
      // Each place gets one of its three, in turn.
      const tried = isLong || at >= jws.length - 2 ? others : [others[at % 3]];
      for (const other of tried) {
        if (other === jws[at]) continue;
        const changed = jws.slice(0, at) + other + jws.slice(at + 1);
        await assert.rejects(verifyReceipt(changed, keys), Refusal, `${at}: ${jws[at]} → ${other}`);
      }
    }
  });

  it('refuses it with any character left out, doubled or put after it', async () => {
    for (let at = 0; at < jws.length; at += 7) {
      await assert.rejects(verifyReceipt(jws.slice(0, at) + jws.slice(at + 1), keys), Refusal);
      await assert.rejects(verifyReceipt(jws.slice(0, at) + jws[at] + jws.slice(at), keys), Refusal);
    }
    for (const more of ['A', '=', '.', '.A']) await assert.rejects(verifyReceipt(jws + more, keys), Refusal);
  });

  it('takes it with the line end of a file, and as JSON', async () => {
    for (const text of [
      `${jws}\n`,
      `\r\n${jws}`,
      JSON.stringify({ receipt: jws }),
      `{"receipt": "${jws}\\n"}\n`,
    ])
      assert.equal((await verifyReceipt(text, keys)).kind, 'receipt');
  });

  /** Another header and signature over the payload of the receipt. */
  async function forgeReceipt(
    header: Record<string, unknown>,
    key: Parameters<CompactSign['sign']>[0],
    payload: JWTPayload = decodeJwt(jws),
  ): Promise<string> {
    return new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ ...decodeProtectedHeader(jws), ...header } as never)
      .sign(key);
  }

  it('refuses alg none, and HS256 with the public key as its secret', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [, payload = ''] = jws.split('.');
    for (const alg of ['none', 'None', ''])
      await assert.rejects(
        verifyReceipt(`${part({ ...decodeProtectedHeader(jws), alg })}.${payload}.`, keys),
        code('wrong_algorithm'),
      );
    const jwk = (await listAllSigningKeys(service.store.db)).find(
      ({ kid }) => kid === decodeProtectedHeader(jws).kid,
    );
    for (const secret of [JSON.stringify(jwk), `${jwk?.x}`, `${jwk?.x}${jwk?.y}`])
      await assert.rejects(
        verifyReceipt(await forgeReceipt({ alg: 'HS256' }, Buffer.from(secret.padEnd(32, '='))), keys),
        code('wrong_algorithm'),
      );
  });

  it('refuses a right signature of another type, or over something that is no receipt', async () => {
    const { key } = await createSigningKeys({ db: service.store.db, clock: service.clock }).getCurrentKey();
    const { record_id, evidence, event_schema, ...whole } = ConsentReceipt.parse(decodeJwt(jws));
    const { event_state, event_time } = event_schema[0] as (typeof event_schema)[number];
    const short = { record_id, event_state, event_time, expiry: null, record_hash: evidence.recordHash };
    const { iss, iat, jti } = whole;
    assert.ok(ReceiptReference.safeParse({ ...short, iss, iat, jti }).success);
    for (const typ of ['JWT', 'at+jwt', 'Consent-Receipt+JWT', 'application/consent-receipt+jwt', undefined])
      for (const payload of [decodeJwt(jws), { ...short, iss, iat, jti }])
        await assert.rejects(
          verifyReceipt(await forgeReceipt({ typ }, key, payload), keys),
          code('not_a_receipt'),
        );
    for (const payload of [{}, { ...decodeJwt(jws), record_id: 1 }])
      await assert.rejects(verifyReceipt(await forgeReceipt({}, key, payload), keys), code('not_a_receipt'));
    const crit = { crit: ['exp'], exp: 1 };
    await assert.rejects(verifyReceipt(await forgeReceipt({ typ: 'JWT' }, key), keys), Refusal);
    await assert.rejects(
      verifyReceipt(
        `${Buffer.from(JSON.stringify({ ...decodeProtectedHeader(jws), ...crit })).toString('base64url')}.${jws.split('.').slice(1).join('.')}`,
        keys,
      ),
      code('changed'),
    );
  });

  it('refuses a key that is not ours, whatever key id it claims', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    await assert.rejects(verifyReceipt(await forgeReceipt({}, privateKey), keys), code('changed'));
    for (const kid of ['another', undefined, '__proto__', 'constructor'])
      await assert.rejects(verifyReceipt(await forgeReceipt({ kid }, privateKey), keys), code('unknown_key'));
  });

  for (const text of [
    '',
    '.',
    '..',
    'a.b.c',
    'no receipt',
    '{}',
    '{"receipt": 1}',
    '{"receipt',
    '[]',
    'null',
  ])
    it(`refuses ${text || 'an empty file'} as malformed`, async () => {
      await assert.rejects(verifyReceipt(text, keys), code('malformed'));
    });

  it('takes of a key file what can have signed a receipt, and refuses a file that is none', async () => {
    const set = JSON.parse(await publishedKeys()) as { keys: object[] };
    const besides = [
      { kty: 'oct', k: 'AAAA', kid: 'x' },
      { kty: 'EC', crv: 'P-384', kid: 'y' },
      { kty: 'RSA' },
    ];
    const mixed = await parseKeySet(JSON.stringify({ keys: [...besides, ...set.keys] }));
    assert.equal((await verifyReceipt(jws, mixed)).kind, 'receipt');
    for (const text of ['', '{}', '[]', '{"keys": 1}', '{"keys": [1]}', jws])
      await assert.rejects(parseKeySet(text), code('not_a_key_set'));
    const broken = { kty: 'EC', crv: 'P-256', kid: 'z', x: 'AA', y: 'AA' };
    await assert.rejects(parseKeySet(JSON.stringify({ keys: [broken] })), code('not_a_key_set'));
    await assert.rejects(verifyReceipt(jws, await parseKeySet('{"keys": []}')), code('unknown_key'));
  });
});

describe('chartgate receipt verify', () => {
  let folder: string;
  let jws: string;
  before(async () => {
    folder = service.store.dataDirectory;
    const patient = await newTestPatient(service);
    const { consentRecordId } = await recordConsentWithScreenshots(service, patient, {
      clientName: 'Evil\u001b[2J\u202eagent',
      scopes: { resourceScopes: ['LABS'], sensitivityScopes: ['NORMAL'] },
    });
    jws = await getReceipt(consentRecordId);
    fs.writeFileSync(path.join(folder, 'receipt.jws'), `${jws}\n`);
    fs.writeFileSync(path.join(folder, 'receipt.json'), JSON.stringify({ receipt: jws }));
    fs.writeFileSync(
      path.join(folder, 'changed.jws'),
      jws.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
    );
    fs.writeFileSync(path.join(folder, 'jwks.json'), await publishedKeys());
  });

  const verify = (args: string): Promise<ExitResult> =>
    runNode(PROGRAM, ['receipt', 'verify', ...args.split(' ')], { cwd: folder });

  const verifyHere = (args: string, environment: Record<string, string> = {}): Promise<ExitResult> =>
    runCommand(['receipt verify', ...args.split(' ')], { cwd: folder, environment });

  it('says who, what and until when, by a key file and without the network or a store', async () => {
    const { code, stdout, stderr } = await verify('receipt.jws --keys jwks.json');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^This receipt is genuine: http:\/\/127\.0\.0\.1:\d+ signed it on /);
    assert.match(stdout, /^Who: +patient [0-9a-f-]{36} gave consent on \d{4}-/m);
    assert.match(stdout, /^To: +Clinic \d+, for "Study"$/m);
    assert.match(stdout, /^ +read by Evil \[2J agent$/m, 'a terminal is not told what to do');
    assert.match(stdout, /^What: +LABS \(NORMAL\)$/m);
    assert.match(stdout, /^Until: +\d{4}-/m);
    assert.equal(fs.existsSync(path.join(folder, 'data')), false);
  });

  it('prints one JSON object with --json', async () => {
    const { code, stdout } = await verifyHere('receipt.json --keys jwks.json --json');
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), { valid: true, kind: 'receipt', receipt: decodeJwt(jws) });
  });

  it('takes the keys of the configured store, those that are retired too', async () => {
    const { db } = service.store;
    for (let times = 0; times < 3; times++) await rotateSigningKeys({ db, clock: service.clock });
    const environment = { DATABASE_URL: service.store.databaseUrl ?? '', CHARTGATE_DATA_DIR: folder };
    const { code, stdout, stderr } = await verifyHere('receipt.jws', environment);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^This receipt is genuine/);
    // Nodes follow within a minute.
    service.clock.advance(61_000);
    admin = await getOrganizationToken(service);
  });

  it('fails with one sentence for what is changed, unknown or nothing of the kind', async () => {
    fs.writeFileSync(path.join(folder, 'none.json'), '{"keys": []}');
    for (const [args, sentence] of [
      ['changed.jws --keys jwks.json', /changed after it was issued|must be a compact JWS/],
      ['receipt.jws --keys none.json', /signed by a key that is not among the given ones/],
      ['jwks.json --keys jwks.json', /not a consent receipt/],
      ['receipt.jws --keys receipt.json', /not a JSON Web Key Set/],
      ['absent.jws --keys jwks.json', /ENOENT/],
    ] as const) {
      const { code, stdout, stderr } = await verifyHere(args);
      assert.deepEqual([code, stdout], [1, ''], args);
      assert.match(stderr, sentence);
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    }
    const { code, stdout, stderr } = await verify('receipt.jws --keys none.json');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^chartgate: .*signed by a key that is not among the given ones.*\n$/);
  });
});

describe('the mail about a decision', () => {
  /** A person who says yes on the consent page; answers whose mails to look for, and their decision. */
  async function createDecision(
    more: Record<string, unknown> = {},
  ): Promise<{ email: string; consentRecordId: string; browser: TestBrowser }> {
    const browser = createTestBrowser(service);
    const { email } = await newAccount(service, browser);
    const client = await registerClient(service, { client_name: 'Secret agent' });
    const begun = await browser.get(
      buildAuthorizePath({ clientId: client.client_id as string, challenge: createPkce().challenge }),
    );
    const answer = await decideRequest(browser, getRequestId(begun), 'grant', more);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const [row] = await service.store.db.query(sql<{ id: string }>`
      select consent_record_id::text as id from consent c join patient_email using (patient_id) where email = ${email}`);
    return { email, consentRecordId: row?.id ?? '', browser };
  }

  it('says that there was one and where its receipt is, and nothing of what it was about', async () => {
    const { email, consentRecordId } = await createDecision({
      consentDataResourceScopes: ['LABS', 'GENOMIC_DATA'],
      consentDataSensitivityScopes: ['NORMAL', 'HIV_OR_STI'],
      representative: { name: 'Kim Larsen', authority: 'parent' },
    });
    const mail = await waitForMail(service, email, 2);
    assert.equal(mail.subject, 'Your decision and its receipt');
    const words = (mail.text ?? '')
      .replaceAll('\r\n', '\n')
      .replace(/on \w+ \d+, \d{4} at [\d:]+\s[AP]M UTC/u, 'on …');
    assert.equal(
      words.trim(),
      [
        'Hello,',
        'You made a decision about your data on ….',
        'Your receipt, to read, print or keep, is on your page. There you can also change your mind at any time:',
        `${service.config.http.consentAppUrl}/#/my-data/receipts/${consentRecordId}`,
        `Reference: ${consentRecordId}`,
        'The attached file proves that this decision was recorded. It says nothing of what you decided about.',
        'If this was not you, sign in on that page and change your password.',
      ].join('\n\n'),
    );
    assert.deepEqual(
      mail.attachments.map(({ filename, mimeType }) => [filename, mimeType]),
      [['consent-receipt.jws', 'application/jose']],
    );
    assert.equal(mail.html, undefined);
  });

  it('has a short receipt attached that is signed, and matches the whole one by its hash alone', async () => {
    const { email, consentRecordId } = await createDecision({ consentDataResourceScopes: ['LABS'] });
    const { attachments } = await waitForMail(service, email, 2);
    const jws = Buffer.from(attachments[0]?.content as ArrayBuffer).toString();
    const { kind, receipt } = await verifyReceipt(jws, await parseKeySet(await publishedKeys()));
    assert.equal(kind, 'reference');
    assert.deepEqual(ReceiptReference.parse(decodeJwt(jws)), decodeJwt(jws), 'the schema says all of it');
    const whole = ConsentReceipt.parse(decodeJwt(await getReceipt(consentRecordId)));
    const { iat: _, jti: __, ...rest } = receipt;
    assert.deepEqual(rest, {
      iss: service.baseUrl,
      record_id: consentRecordId,
      event_state: 'given',
      event_time: whole.event_schema[0]?.event_time,
      expiry: whole.pii_processing.purposes[0]?.expiry,
      record_hash: whole.evidence.recordHash,
    });
    assert.deepEqual(Object.keys(decodeProtectedHeader(jws)).sort(), ['alg', 'kid', 'typ']);
  });

  it('is Spanish where the page was', async () => {
    const { email } = await createDecision({ language: 'es' });
    const { subject, text } = await waitForMail(service, email, 2);
    assert.equal(subject, 'Su decisión y su recibo');
    assert.match(text ?? '', /^Tomó una decisión sobre sus datos el \d+ de \w+ de \d{4}/m);
    assert.doesNotMatch((text ?? '').replace(/http\S+/, ''), /your|receipt/i);
  });

  it('is sent for what a person narrows and takes back on their own page too, in the language of the page before', async () => {
    const { email, browser } = await createDecision({ language: 'es' });
    const { projectId } = service.organization;
    const narrowed = { consentDataResourceScopes: ['LABS'], consentDataSensitivityScopes: null };
    assert.equal((await browser.post('/account/consents/narrow', { projectId, ...narrowed })).status, 200);
    const consentType = 'PATIENT_DIRECTED_DATA_EXCHANGE';
    assert.equal((await browser.post('/account/consents/withdraw', { projectId, consentType })).status, 204);
    await waitForMail(service, email, 4);
    const { receipts } = (await browser.get('/account/receipts')).body;
    const mails = await listMailsTo(service, email);
    assert.deepEqual(
      mails.slice(1).map(({ subject }) => subject),
      Array.from({ length: 3 }, () => 'Su decisión y su recibo'),
    );
    assert.deepEqual(
      receipts.map(({ kind }: { kind: string }) => kind),
      ['withdrawn', 'changed', 'given'],
    );
    const texts = mails.map(({ text }) => text ?? '').join();
    for (const { consentRecordId } of receipts) assert.ok(texts.includes(consentRecordId as string));
  });

  it('is in the language of the page of a withdrawal, as its receipt is, which offers no right that is used up', async () => {
    const { email, browser } = await createDecision({ language: 'en' });
    const { projectId } = service.organization;
    await browser.post('/account/consents/withdraw', { projectId, language: 'es' });
    const { subject, text } = await waitForMail(service, email, 3);
    assert.equal(subject, 'Su decisión y su recibo');
    const id = /receipts\/([0-9a-f-]{36})/.exec(text ?? '')?.[1] ?? '';
    const { pii_processing: processing } = ConsentReceipt.parse(decodeJwt(await getReceipt(id)));
    assert.equal(processing.language, 'es');
    assert.deepEqual(processing.purposes[0]?.privacy_rights, [
      'ver quién leyó sus datos, cuándo y con qué aplicación',
      'descargar sus datos',
      'pedir que se eliminen su cuenta y sus datos',
    ]);
    const record = (await call(service, `/v1/consents/${id}`, { token: admin })).body;
    assert.equal(record.language, 'es');
  });

  it('names the day of the time zone of the only organization that the person takes part with', async () => {
    const url = `/v1/organizations/${service.organization.organizationId}`;
    const setZone = (timeZone: string) =>
      call(service, url, { method: 'PATCH', token: admin, json: { timeZone } });
    assert.equal((await setZone('Asia/Kolkata')).status, 200);
    const { email } = await createDecision();
    assert.match(
      (await waitForMail(service, email, 2)).text ?? '',
      /on \w+ \d+, \d{4} at [\d:]+\s[AP]M GMT\+5:30\./u,
    );
    assert.equal((await setZone('UTC')).status, 200);
  });

  it('is not sent for a decision by API, nor to a test patient', async () => {
    const patient = await newTestPatient(service);
    await recordConsentWithScreenshots(service, patient);
    assert.deepEqual(await listMailsTo(service, patient.email), []);
    const { projectId } = service.organization;
    const email = 'by.api@mail.example';
    const token = await getOrganizationToken(service);
    const { body } = await call(service, `/v1/projects/${projectId}/patients`, {
      token,
      json: { patients: [{ email, firstName: 'Jo', lastName: 'Larsen' }], suppressNotifications: true },
    });
    const id = body.successfulPatients[0].referenceId as string;
    await service.store.db.query(sql`
      insert into patient_password (patient_id, password_hash, changed_at) values (${id}, ${await hashPassword('secret')}, now())`);
    const login = await call(service, '/v1/auth/token', { json: { email, password: 'secret', projectId } });
    const withdrawn = await call(service, `/v1/projects/${projectId}/patients/${id}/consent`, {
      token: login.body.token as string,
      json: { consentStatus: 'OPTED_OUT' },
    });
    assert.equal(withdrawn.status, 201);
    assert.deepEqual(await listMailsTo(service, email), []);
  });
});
