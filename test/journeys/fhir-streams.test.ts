import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { constants, gunzipSync } from 'node:zlib';
import { createArchive } from '../harness/archive.ts';
import { addBigResources, BIG_BODY_BYTES } from '../harness/big-record.ts';
import { recordConsentWithout } from '../harness/consent-record.ts';
import { buildEverythingPath, parseReferences } from '../harness/fhir.ts';
import { PATIENT_TEXT } from '../harness/odd-record.ts';
import {
  call,
  decide,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { countChunks, openSlowReader, type ChunkCounter, type SlowReader } from '../harness/slow-reader.ts';
import { ENGINES } from '../harness/store.ts';

/** 28 MB: several times what sockets, streams and chunks hold on the way to a reader. */
const BIG = 14;

const ENDED = 'fhir.everything_ended';

interface LogEntry {
  action: string;
  outcome: string;
  reason: string | null;
  entries: number;
}

const GOUT = { resourceType: 'Condition', id: 'gout', code: { text: 'Gout' } };

for (const engine of ENGINES) {
  describe(`a record that streams on ${engine}`, () => {
    let service: TestService;
    let patient: TestPatient;
    let token: string;
    let chunks: ChunkCounter;
    before(async () => {
      service = await startTestService({ engine });
      patient = await newTestPatient(service);
      token = await getOrganizationToken(service);
      await upload(service, patient, await createArchive({ 'a.json': { resourceType: 'Basic', id: 'a' } }));
      await addBigResources(service.store.db, patient.id, BIG);
      await upload(
        service,
        patient,
        await createArchive({ 'patient.json': PATIENT_TEXT, 'gout.json': GOUT }),
      );
      chunks = countChunks(service.store.db);
    });
    after(() => service.stop());

    const FORMS = {
      'a Bundle': { accept: 'application/fhir+json' },
      lines: { accept: 'application/fhir+ndjson' },
      'packed lines': { accept: 'application/fhir+ndjson', 'accept-encoding': 'gzip' },
    };

    const openReader = (headers: Record<string, string>): Promise<SlowReader> =>
      openSlowReader(`${service.baseUrl}${buildEverythingPath(patient.id, '_count=5000')}`, {
        authorization: `Bearer ${token}`,
        ...headers,
      });

    /** The newest reads of the log, once the newest says how an answer ended: the reader learns of the end before the log has it. */
    const waitForEnd = async (): Promise<[LogEntry, LogEntry]> => {
      for (;;) {
        const { body } = await call(service, `/v1/patients/${patient.id}/access-log`, {
          token: patient.token,
        });
        const reads = (body.results as LogEntry[]).filter(({ action }) => action.startsWith('fhir.'));
        if (reads[0]?.action === ENDED) return reads as [LogEntry, LogEntry];
        await new Promise((wake) => setTimeout(wake, 20));
      }
    };

    const unpackBody = (bytes: Buffer, headers: Record<string, string>): string =>
      (headers['accept-encoding'] === 'gzip'
        ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
        : bytes
      ).toString();

    // How the answer is written and packed does not concern the engine.
    const forms = Object.entries(FORMS).filter(([form]) => engine === 'postgresql' || form === 'lines');
    for (const [form, headers] of forms) {
      it(`waits for a reader who reads nothing, and then gives them all of it, as ${form}`, async () => {
        const begin = chunks.getCount();
        const reader = await openReader(headers);
        const meanwhile = (await chunks.waitUntilSettled()) - begin;
        assert.ok(meanwhile < BIG * 0.75, `${meanwhile} stretches of ${BIG} were read for nobody`);
        const { bytes, complete } = await reader.readRest();
        assert.ok(complete);
        const text = unpackBody(bytes, headers);
        const bodies = text.match(/"id":"big\d+","data":"[0-9a-f]*"/g) ?? [];
        assert.equal(bodies.length, BIG);
        assert.ok(bodies.every((body) => body.length > BIG_BODY_BYTES));
        if (form !== 'a Bundle') assert.equal(parseReferences(text.trimEnd().split('\n')).length, BIG + 4);
      });

      it(`asks the database for no more once the reader has left, as ${form}`, async () => {
        const begin = chunks.getCount();
        const reader = await openReader(headers);
        await chunks.waitUntilSettled();
        const left = chunks.getCount();
        reader.abort();
        assert.ok((await chunks.waitUntilSettled()) - left <= 1);
        assert.ok(chunks.getCount() - begin < BIG);
        const [end, begun] = await waitForEnd();
        assert.deepEqual([end.action, end.outcome, end.reason], [ENDED, 'failed', 'reader_left']);
        assert.deepEqual([begun.action, begun.entries], ['fhir.everything', BIG + 4]);
        assert.ok(end.entries > 0 && end.entries < BIG + 4, String(end.entries));
      });

      it(`breaks off when consent is withdrawn on the way, as ${form}`, async () => {
        await decide(service, patient, 'OPTED_IN');
        const reader = await openReader(headers);
        assert.equal(reader.status, 200);
        await chunks.waitUntilSettled();
        await decide(service, patient, 'OPTED_OUT');
        const { bytes, complete } = await reader.readRest();
        assert.ok(!complete, 'the answer must not look whole');
        const text = unpackBody(bytes, headers);
        assert.ok(text.includes('"big0"') && !text.includes(`"big${BIG - 1}"`));
        assert.ok(!text.includes('SECRET'));
        const [end] = await waitForEnd();
        assert.deepEqual([end.action, end.outcome, end.reason], [ENDED, 'failed', 'access_revoked']);
        const arrived = text.match(/"id":"big\d+","data":"[0-9a-f]*"/g) ?? [];
        assert.ok(end.entries >= arrived.length && end.entries < BIG + 4, String(end.entries));
        await decide(service, patient, 'OPTED_IN');
      });

      it(`breaks off when addresses are withheld on the way, as ${form}`, async () => {
        const reader = await openReader(headers);
        await chunks.waitUntilSettled();
        await recordConsentWithout(service, patient, 'CONTACT_INFO');
        const { bytes, complete } = await reader.readRest();
        assert.ok(!complete);
        assert.ok(!unpackBody(bytes, headers).includes('SECRET'));
        await decide(service, patient, 'OPTED_IN');
      });
    }

    it('goes on without what is withheld on the way', async () => {
      const reader = await openReader(FORMS.lines);
      await chunks.waitUntilSettled();
      await recordConsentWithout(service, patient, 'DIAGNOSES');
      const { bytes, complete } = await reader.readRest();
      assert.ok(complete);
      const names = parseReferences(bytes.toString().trimEnd().split('\n'));
      assert.equal(names.length, BIG + 3);
      assert.ok(!names.includes('Condition/gout'));
      const [end, begun] = await waitForEnd();
      assert.deepEqual([end.action, end.outcome, end.reason], [ENDED, 'success', 'consent_narrowed']);
      assert.deepEqual([begun.entries, end.entries], [BIG + 4, BIG + 3]);
      await decide(service, patient, 'OPTED_IN');
    });

    it('goes on as it was when it changes on the way', async () => {
      const reader = await openReader(FORMS.lines);
      await chunks.waitUntilSettled();
      const changed = { ...GOUT, code: { text: 'Gout no more' } };
      const added = { resourceType: 'Condition', id: 'cough', code: { text: 'Cough' } };
      await upload(service, patient, await createArchive({ 'gout.json': changed, 'cough.json': added }));
      const { bytes, complete } = await reader.readRest();
      assert.ok(complete);
      const lines = bytes.toString().trimEnd().split('\n');
      assert.equal(lines.length, BIG + 4);
      assert.deepEqual(
        lines.filter((line) => line.includes('"Condition"')),
        [JSON.stringify(GOUT)],
      );
    });

    it('is counted among what the organization used each time, as failed where it was broken off', async () => {
      await service.worker.stop();
      const { organizationId } = service.organization;
      const { body } = await call(
        service,
        `/v1/organizations/${organizationId}/usage?by=outcome&kind=fhir_read`,
        {
          token,
        },
      );
      const outcomes = (body.results as { key: string; count: number }[]).map((row) => [row.key, row.count]);
      // Of each form one was whole and three were broken off; two more came to their end.
      assert.deepEqual(outcomes, [
        ['failed', 3 * forms.length],
        ['success', forms.length + 2],
      ]);
    });
  });
}
