import assert from 'node:assert/strict';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { once } from 'node:events';
import http from 'node:http';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createArchive } from '../harness/archive.ts';
import {
  call,
  newTestPatient,
  startTestService,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';

/** Short enough to be waited for, for the request alone that is to meet one: another could meet it on a busy machine. */
const SHORT = { totalMs: 500, silenceMs: 1500 };
const LONG = { totalMs: 600_000, slowTotalMs: 600_000, silenceMs: 600_000 };
const limits = { ...LONG };

const lines: { level: number; code?: string; msg: string }[] = [];
let service: TestService;
let patient: TestPatient;
before(async () => {
  service = await startTestService({
    environment: { CHARTGATE_LOG_LEVEL: 'info' },
    logStream: { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
    bodyLimits: limits,
  });
});
beforeEach(async () => {
  Object.assign(limits, LONG);
  patient = await newTestPatient(service);
  lines.length = 0;
});
after(() => service.stop());

interface RawAnswer {
  status: number;
  type: string | undefined;
  code: string;
  batchId?: string;
}

/** Sends a body of which `pieces` is written one after another; the request stays open after the last. */
function sendPieces(url: string, type: string): { request: http.ClientRequest; answer: Promise<RawAnswer> } {
  const request = http.request(service.baseUrl + url, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${patient.token}`,
      'content-type': type,
      'transfer-encoding': 'chunked',
    },
  });
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('error', () => {});
      response.on('data', (bytes: Buffer) => {
        text += String(bytes);
        if (!text.endsWith('}')) return;
        const body = JSON.parse(text) as { code: string; batchId?: string };
        resolve({ ...body, status: response.statusCode ?? 0, type: response.headers['content-type'] });
      });
    });
  });
  return { request, answer };
}

const uploadUrl = (): string => `/v1/patients/${patient.id}/upload-documents`;
const FORM = 'multipart/form-data; boundary=x';
const FORM_HEAD = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n';

async function assertNothingLeft(): Promise<void> {
  assert.deepEqual((await call(service, uploadUrl(), { token: patient.token })).body.results, []);
  const isReceived = (name: string): boolean =>
    name.startsWith(`chartgate-${process.pid}-`) && name.includes('-receive-');
  for (let attempt = 0; fs.readdirSync(os.tmpdir()).some(isReceived) && attempt < 3000; attempt++)
    await sleep(20);
  assert.deepEqual(fs.readdirSync(os.tmpdir()).filter(isReceived), []);
}

describe('case 172: an upload over a slow line', () => {
  it('may take longer than other requests, as long as something arrives', async () => {
    limits.totalMs = SHORT.totalMs;
    const archive = await createArchive({
      'a.json': JSON.stringify({ resourceType: 'Patient', id: 'p', name: [{ family: 'Slow' }] }),
    });
    const { request, answer } = sendPieces(uploadUrl(), FORM);
    request.write(FORM_HEAD);
    const size = Math.ceil(archive.length / 10);
    for (let at = 0; at < archive.length; at += size) {
      request.write(archive.subarray(at, at + size));
      await sleep(80);
    }
    request.end('\r\n--x--\r\n');
    const { status, batchId } = await answer;
    assert.equal(status, 202);
    assert.equal((await waitForBatch(service, patient, batchId as string)).status, 'completed');
  });

  it('is ended with 408 when nothing arrives, and leaves nothing behind', async () => {
    limits.silenceMs = SHORT.silenceMs;
    const { request, answer } = sendPieces(uploadUrl(), FORM);
    request.write(`${FORM_HEAD}PK`);
    const { status, type, code } = await answer;
    Object.assign(limits, LONG);
    assert.deepEqual([status, type, code], [408, 'application/problem+json', 'request_timeout']);
    await assertNothingLeft();
    assert.deepEqual(
      lines.filter(({ level }) => level >= 40),
      [],
    );
    assert.ok(lines.some((line) => line.code === 'request_timeout'));
  });

  it('is refused with 413 before it is sent, where it says how large it is', async () => {
    const request = http.request(service.baseUrl + uploadUrl(), {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${patient.token}`,
        'content-type': FORM,
        'content-length': String(200 * 1024 * 1024),
      },
    });
    request.flushHeaders();
    const [status, type] = await new Promise<unknown[]>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (response) => resolve([response.statusCode, response.headers['content-type']]));
    });
    request.on('error', () => {});
    request.destroy();
    assert.deepEqual([status, type], [413, 'application/problem+json; charset=utf-8']);
    await assertNothingLeft();
  });
});

describe('a request that is no upload', () => {
  it('is ended with 408 when its body takes too long, however little it is silent', async () => {
    limits.totalMs = SHORT.totalMs;
    const { request, answer } = sendPieces('/v1/auth/token', 'application/json');
    const timer = setInterval(() => request.write(' '), 50);
    const { status, type } = await answer.finally(() => clearInterval(timer));
    assert.deepEqual([status, type], [408, 'application/problem+json']);
  });
});

describe('an upload that is broken off', () => {
  for (const [where, bytes] of [
    ['in the headers of the form', '--x\r\ncontent-dis'],
    ['in the file', `${FORM_HEAD}PK${'x'.repeat(200_000)}`],
    ['between two parts', `${FORM_HEAD}PK\r\n--x\r\n`],
  ] as const)
    it(`${where} is no error with a stack in the log, and leaves nothing behind`, async () => {
      const arrived = new Promise<void>((resolve) => service.app.server.once('request', () => resolve()));
      const { request, answer } = sendPieces(uploadUrl(), FORM);
      await new Promise((resolve) => request.write(bytes, resolve));
      await arrived;
      await sleep(50);
      request.destroy();
      await assert.rejects(answer);
      await assertNothingLeft();
      assert.deepEqual(
        lines.filter(({ level }) => level >= 40),
        [],
      );
    });

  it('while the service looks up whose it is leaves nothing behind', async (t) => {
    const removed = t.mock.method(fsPromises, 'rm');
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { db } = service.store;
    const { query } = db;
    const arrived = once(service.app.server, 'request') as Promise<[http.IncomingMessage]>;
    db.query = (statement) => opened.then(() => query(statement));
    const { request, answer } = sendPieces(uploadUrl(), FORM);
    request.write(`${FORM_HEAD}PK`);
    const [received] = await arrived;
    const gone = new Promise((resolve) => received.once('close', resolve));
    request.destroy();
    await assert.rejects(answer);
    await gone;
    db.query = query;
    open();
    await waitUntil('its folder goes', () =>
      removed.mock.calls.some(({ arguments: [folder] }) => String(folder).includes('-receive-')),
    );
    await assertNothingLeft();
  });
});
