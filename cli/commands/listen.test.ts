import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Command } from 'commander';
import { buildExampleEnvelope } from '../../contract/webhooks/webhook-events.ts';
import { generateEventId } from '../../server/surfaces/webhooks/events/event-id.ts';
import { fingerprintSecret, generateWebhookSecret } from '../../server/surfaces/webhooks/signing.ts';
import { buildSignedHeaders } from '../../server/surfaces/webhooks/signing.ts';
import { ensureCertificate, type Certificate } from '../listen/certificate.ts';
import { createReceiver, type DeliveryReport } from '../listen/receiver.ts';
import { serializeDelivery, formatDelivery } from '../listen/format-delivery.ts';
import { listenOnLoopback, type LoopbackServer } from '../listen/loopback-server.ts';
import { configureListenCommand } from './listen.ts';
import { PROGRAM } from '../../test/harness/program.ts';

const ESCAPE = '\u001b[2J';

let folder: string;
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-listen-'));
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

interface SignedRequest {
  headers: Record<string, string | string[]>;
  body: string | Buffer;
}

/** A delivery as the service makes it. */
function delivery(
  secrets: readonly string[],
  { at = new Date(), body = example(), id = eventId() } = {},
): SignedRequest {
  return { headers: buildSignedHeaders(secrets, { id, body, at }), body };
}

const eventId = (): string => generateEventId(new Date());
const example = (): string => JSON.stringify(buildExampleEnvelope('consent.withdrawn'));

interface ReceivedResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

async function post(url: string, { headers, body }: SignedRequest, ca?: string): Promise<ReceivedResponse> {
  const options = { method: 'POST', headers, agent: false as const, ...(ca !== undefined && { ca }) };
  const request = url.startsWith('https:') ? https.request(url, options) : http.request(url, options);
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

describe('the receiver of chartgate listen', () => {
  const secret = generateWebhookSecret();
  const older = generateWebhookSecret();
  const reports: DeliveryReport[] = [];
  const complaints: string[] = [];
  let certificate: Certificate;
  let listening: LoopbackServer;
  let base: string;

  const listenWith = (options: {
    secrets?: readonly string[];
    forwardTo?: URL | null;
  }): Promise<LoopbackServer> =>
    listenOnLoopback(
      createReceiver({
        secrets: [secret],
        forwardTo: null,
        ...options,
        onDelivery: (one) => void reports.push(one),
        warn: (sentence) => void complaints.push(sentence),
      }),
      {
        ...certificate,
        port: 0,
        onConnectionFailure: ({ isTls }) => void complaints.push(isTls ? 'TLS' : 'plain'),
      },
    );

  before(async () => {
    certificate = await ensureCertificate(path.join(folder, 'listen'), new Date());
    listening = await listenWith({});
    base = `http://127.0.0.1:${listening.port}/`;
  });
  after(() => listening.close());

  /** What the receiver prints about a delivery, which must be printed before it is read here. */
  async function receive(
    posted: SignedRequest,
    url = base,
  ): Promise<DeliveryReport & { answer: ReceivedResponse }> {
    const answer = await post(url, posted);
    const last = reports.at(-1);
    assert.ok(last);
    return { ...last, answer };
  }

  it('acknowledges a genuine delivery with 204 over http', async () => {
    const { answer, verdict, responseStatus } = await receive(delivery([secret]));
    assert.deepEqual([answer.status, answer.text, responseStatus], [204, '', 204]);
    assert.deepEqual(verdict, { secret, fault: null, notes: [] });
  });

  it('acknowledges it over https on the same port, by name and by both addresses, once its authority is trusted', async () => {
    const ca = fs.readFileSync(certificate.caFile, 'utf8');
    for (const host of ['localhost', '127.0.0.1']) {
      const { status } = await post(`https://${host}:${listening.port}/`, delivery([secret]), ca);
      assert.equal(status, 204, host);
    }
  });

  it('says when a sender does not trust its certificate', async () => {
    await assert.rejects(post(`https://127.0.0.1:${listening.port}/`, delivery([secret])));
    // The listener sees the connection end after the client has gone.
    while (!complaints.includes('TLS')) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  const resigned = (signature: string, posted = delivery([secret])): SignedRequest => ({
    ...posted,
    headers: { ...posted.headers, 'webhook-signature': signature },
  });
  const mac = (
    key: string | Buffer,
    { headers, body }: SignedRequest,
    encoding: 'base64' | 'hex' = 'base64',
  ): string =>
    createHmac('sha256', key)
      .update(`${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.`)
      .update(body)
      .digest(encoding);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
  const without = (name: string): SignedRequest => {
    const { headers, body } = delivery([secret]);
    return { headers: Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)), body };
  };
  const altered = (
    headers: Record<string, string | string[]>,
    posted = delivery([secret]),
  ): SignedRequest => ({
    ...posted,
    headers: { ...posted.headers, ...headers },
  });
  const fresh = delivery([secret]);

  const FAULTS: readonly (readonly [
    what: string,
    posted: () => SignedRequest,
    step: string,
    message: RegExp,
  ])[] = [
    ['no webhook-id', () => without('webhook-id'), 'headers', /webhook-id is missing/],
    ['no webhook-timestamp', () => without('webhook-timestamp'), 'headers', /webhook-timestamp is missing/],
    ['no webhook-signature', () => without('webhook-signature'), 'headers', /webhook-signature is missing/],
    ['an empty header', () => altered({ 'webhook-signature': '' }), 'headers', /missing or empty/],
    [
      'a doubled header',
      () => altered({ 'webhook-id': [eventId(), eventId()] }),
      'headers',
      /webhook-id came 2 times/,
    ],
    [
      'a timestamp in words',
      () => altered({ 'webhook-timestamp': 'now' }),
      'webhook-timestamp',
      /no number.*"now"/,
    ],
    [
      'a timestamp in milliseconds',
      () => altered({ 'webhook-timestamp': String(Date.now()) }),
      'webhook-timestamp',
      /in milliseconds/,
    ],
    [
      'an old one',
      () => delivery([secret], { at: minutesAgo(61) }),
      'webhook-timestamp',
      /is 1 h 1 min( \d s)? old/,
    ],
    [
      'one of the future',
      () => delivery([secret], { at: minutesAgo(-20) }),
      'webhook-timestamp',
      /in the future/,
    ],
    ['no v1 signature', () => resigned('v2,abc'), 'webhook-signature', /no signature that begins with "v1,"/],
    ['only a public key signature', () => resigned('v1a,abc'), 'webhook-signature', /public key/],
    ['another secret', () => delivery([older]), 'signature', new RegExp(fingerprintSecret(secret))],
    ['a signature in hex', () => resigned(`v1,${mac(key, fresh, 'hex')}`, fresh), 'signature', /in hex/],
    ['the secret as text', () => resigned(`v1,${mac(secret, fresh)}`, fresh), 'signature', /must be decoded/],
    [
      'the secret without its prefix as text',
      () => resigned(`v1,${mac(secret.slice(6), fresh)}`, fresh),
      'signature',
      /must be decoded/,
    ],
    [
      'only the body signed',
      () => resigned(`v1,${createHmac('sha256', key).update(fresh.body).digest('base64')}`, fresh),
      'signature',
      /Only the body/,
    ],
    [
      'a body that was written anew',
      () => ({ ...fresh, body: JSON.stringify(JSON.parse(String(fresh.body)), null, 4) }),
      'signature',
      /parses the body and writes it anew/,
    ],
    ['a line end more', () => ({ ...fresh, body: `${String(fresh.body)}\n` }), 'signature', /line ends/],
    ['a body that was changed', () => ({ ...fresh, body: '{}' }), 'signature', /No signature was made with/],
  ];
  for (const [what, posted, step, message] of FAULTS) {
    it(`answers ${what} with 400 and names the step ${step}`, async () => {
      const { answer, verdict } = await receive(posted());
      assert.equal(answer.status, 400);
      assert.equal(verdict.fault?.step, step);
      assert.match(verdict.fault?.message ?? '', message);
      assert.equal(answer.text, verdict.fault?.message);
    });
  }

  it('names the first step that failed, and what else is wrong as notes', async () => {
    const { verdict } = await receive(
      altered({ 'webhook-id': 'msg_1', 'webhook-timestamp': '12' }, delivery([older])),
    );
    assert.equal(verdict.fault?.step, 'webhook-timestamp');
    assert.deepEqual(
      verdict.notes.map(({ step }) => step),
      ['webhook-id'],
    );
  });

  const body = (changes: object): string =>
    JSON.stringify({ ...buildExampleEnvelope('consent.withdrawn'), ...changes });
  const NOTES: readonly (readonly [what: string, posted: () => SignedRequest, note: RegExp])[] = [
    ['an id of another shape', () => delivery([secret], { id: 'msg_123' }), /webhook-id is not evt_/],
    ['a body that is not JSON', () => delivery([secret], { body: 'type=x' }), /The body is not JSON/],
    ['an empty body', () => delivery([secret], { body: '' }), /The body is empty/],
    [
      'a field that is missing',
      () => delivery([secret], { body: body({ projectId: undefined }) }),
      /^projectId: /,
    ],
    [
      'a field of the wrong type',
      () => delivery([secret], { body: body({ deliveryAttempt: '1' }) }),
      /^deliveryAttempt: /,
    ],
    [
      'data that lacks something',
      () => delivery([secret], { body: body({ data: {} }) }),
      /^data\.patientId: /,
    ],
    [
      'a type that is new',
      () => delivery([secret], { body: body({ type: 'consent.narrowed' }) }),
      /unknown here.*ignore/,
    ],
    [
      'a type named like a property',
      () => delivery([secret], { body: body({ type: 'constructor' }) }),
      /unknown here/,
    ],
    ['another content type', () => altered({ 'content-type': 'text/plain' }), /content-type/],
  ];
  for (const [what, posted, note] of NOTES) {
    it(`acknowledges ${what} all the same, with a note`, async () => {
      const { answer, verdict } = await receive(posted());
      assert.deepEqual([answer.status, verdict.fault], [204, null]);
      assert.ok(
        verdict.notes.some(({ message }) => note.test(message)),
        JSON.stringify(verdict.notes),
      );
    });
  }

  it('acknowledges an event that comes again, and says that it did', async () => {
    const again = delivery([secret]);
    assert.deepEqual((await receive(again)).verdict.notes, []);
    const { answer, verdict } = await receive(again);
    assert.equal(answer.status, 204);
    assert.deepEqual(
      verdict.notes.map(({ step }) => step),
      ['duplicate'],
    );
  });

  it('accepts either secret of a rotation, and says which', async () => {
    const rotating = await listenWith({ secrets: [older, secret] });
    const url = `http://127.0.0.1:${rotating.port}/`;
    const both = delivery([secret, older]);
    const { verdict } = await receive(both, url);
    assert.equal(verdict.secret, older);
    assert.match(verdict.notes.map(({ message }) => message).join(), /rotated/);
    assert.equal((await receive(delivery([secret]), url)).verdict.secret, secret);
    await rotating.close();
  });

  it('refuses other methods with 405 and bodies over 1 MiB with 413, announced or not', async () => {
    const answer = await fetch(base);
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST']);
    const large = Buffer.alloc(1024 * 1024 + 1, ' ');
    assert.equal((await post(base, { headers: {}, body: large })).status, 413);
    assert.equal(
      (await post(base, { headers: { 'transfer-encoding': 'chunked' }, body: large })).status,
      413,
    );
    const largest = example().padEnd(1024 * 1024, ' ');
    assert.equal((await post(base, delivery([secret], { body: largest }))).status, 204);
  });

  describe('a receiver that forwards', () => {
    const arrived: { headers: http.IncomingHttpHeaders; body: string }[] = [];
    let answerWith: (response: http.ServerResponse) => void;
    let target: http.Server;
    let forwarding: LoopbackServer;
    let url: string;
    before(async () => {
      target = http.createServer((request, response) => {
        void request
          .setEncoding('utf8')
          .toArray()
          .then((parts) => {
            arrived.push({ headers: request.headers, body: parts.join('') });
            answerWith(response);
          });
      });
      await once(target.listen(0, '127.0.0.1'), 'listening');
      const forwardTo = new URL(`http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`);
      forwarding = await listenWith({ forwardTo });
      url = `http://127.0.0.1:${forwarding.port}/`;
    });
    after(async () => {
      await forwarding.close();
      target.closeAllConnections();
      target.close();
    });

    it('passes on the bytes and the signed headers, and answers as the target does', async () => {
      answerWith = (response) => response.writeHead(503, { 'retry-after': '7' }).end('busy');
      const posted = delivery([secret], { body: `{"type":"webhook.test", "n": 1.00}` });
      const { answer, forwarded } = await receive(posted, url);
      assert.deepEqual([answer.status, answer.headers['retry-after'], forwarded?.status], [503, '7', 503]);
      const last = arrived.at(-1);
      assert.equal(last?.body, posted.body);
      for (const [name, value] of Object.entries(posted.headers)) assert.equal(last?.headers[name], value);
    });

    it('treats an event as new until the target has acknowledged it', async () => {
      const again = delivery([secret]);
      const duplicate = async (): Promise<boolean> =>
        (await receive(again, url)).verdict.notes.some(({ step }) => step === 'duplicate');
      assert.equal(await duplicate(), false);
      answerWith = (response) => response.writeHead(200).end();
      assert.equal(await duplicate(), false);
      assert.equal(await duplicate(), true);
    });

    it('follows no redirect, as the service does not', async () => {
      answerWith = (response) => response.writeHead(302, { location: '/elsewhere' }).end();
      const count = arrived.length;
      assert.equal((await receive(delivery([secret]), url)).answer.status, 302);
      assert.equal(arrived.length, count + 1);
    });

    it('passes on nothing that does not verify', async () => {
      const count = arrived.length;
      const { answer, forwarded } = await receive(delivery([older]), url);
      assert.deepEqual([answer.status, forwarded, arrived.length], [400, null, count]);
    });

    it('answers 502 when the target cannot be reached', async () => {
      answerWith = (response) => response.destroy();
      const { answer, forwarded } = await receive(delivery([secret]), url);
      assert.deepEqual([answer.status, forwarded?.status], [502, null]);
      assert.notEqual(forwarded?.fault, null);
    });
  });

  describe('the output of chartgate listen', () => {
    it('shows a person when, what, which attempt, how old, with which secret, and the envelope', async () => {
      const text = formatDelivery(await receive(delivery([secret])));
      const [head, state, ...rest] = text.split('\n');
      assert.match(
        head ?? '',
        /^\S+Z {2}consent\.withdrawn {2}evt_\S{26} {2}attempt 1 {2}sent \d s ago {2}happened .+$/,
      );
      assert.equal(state, `  verified with the secret ${fingerprintSecret(secret)}; answered 204`);
      assert.deepEqual(JSON.parse(rest.join('\n')), buildExampleEnvelope('consent.withdrawn'));
      assert.match(text, /^ {4}"type": "consent.withdrawn",$/m);
    });

    it('says which step failed', async () => {
      const text = formatDelivery(await receive(delivery([older])));
      assert.match(text, /^ {2}NOT VERIFIED \(signature\); answered 400\n {4}No signature was made/m);
    });

    it('is one line for a program, the digits of numbers as they came', async () => {
      const json = serializeDelivery(
        await receive(delivery([secret], { body: '{"type": "webhook.test", "n": [1.00]}' })),
      );
      assert.equal(json.trimEnd().split('\n').length, 1);
      assert.match(json, /"n":\[1\.00\]/);
      const one = JSON.parse(json) as Record<string, unknown>;
      assert.deepEqual(one['envelope'], { type: 'webhook.test', n: [1] });
      assert.deepEqual([one['verified'], one['failedStep'], one['answered']], [true, null, 204]);
    });

    it('holds no character that a terminal would obey', async () => {
      const hostile = `${ESCAPE}\u009b31m\u202e\u2028\u{e0041}`;
      const bodies = [
        body({ type: hostile, data: { [hostile]: hostile } }),
        // As raw bytes, which JSON allows of all but the first.
        `{"type":"x.y","a":"\u009b\u202e\u2028\u{e0041}\u007f"}`,
        `not JSON ${hostile}`,
      ];
      for (const one of bodies) {
        const received = await receive(delivery([secret], { body: one }));
        for (const text of [formatDelivery(received), serializeDelivery(received)])
          assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }
      const [, raw = ''] = bodies;
      const json = serializeDelivery(await receive(delivery([secret], { body: raw })));
      assert.deepEqual((JSON.parse(json) as { envelope: unknown }).envelope, JSON.parse(raw));
    });
  });
});

describe('the certificate of chartgate listen', () => {
  it('is the same at the next start, in files that only the owner reads the key of', async () => {
    const kept = path.join(folder, 'kept');
    const first = await ensureCertificate(kept, new Date());
    assert.deepEqual(await ensureCertificate(kept, new Date()), first);
    assert.equal(fs.statSync(path.join(kept, 'server.pem')).mode & 0o777, 0o600);
    assert.doesNotMatch(fs.readFileSync(first.caFile, 'utf8'), /PRIVATE KEY/);
  });

  it('is made anew when it ends within a week, or cannot be read', async () => {
    const renewed = path.join(folder, 'renewed');
    const now = new Date();
    const in359Days = new Date(now.getTime() + 359 * 86_400_000);
    const first = await ensureCertificate(renewed, now);
    const second = await ensureCertificate(renewed, in359Days);
    assert.notEqual(second.chain, first.chain);
    fs.writeFileSync(path.join(renewed, 'server.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n');
    assert.notEqual((await ensureCertificate(renewed, in359Days)).chain, second.chain);
  });

  it('keeps no key of its authority', async () => {
    await ensureCertificate(path.join(folder, 'listen'), new Date());
    const pem = fs.readFileSync(path.join(folder, 'listen', 'server.pem'), 'utf8');
    assert.equal(pem.match(/BEGIN PRIVATE KEY/g)?.length, 1);
  });
});

describe('chartgate listen', () => {
  const secret = generateWebhookSecret();
  it('listens on a free port with the secret of the environment, prints JSON alone, and ends at Ctrl-C', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'listen', '--port', '0', '--json'], {
      cwd: path.resolve(import.meta.dirname, '../..'),
      env: {
        PATH: process.env['PATH'],
        CHARTGATE_DATA_DIR: path.join(folder, 'data'),
        CHARTGATE_LISTEN_SECRET: secret,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (bytes: Buffer) => (output += String(bytes)));
    while (!output.includes('npm start')) await once(child.stderr, 'data');
    const [, address = ''] = /on (https:\S+)/.exec(output) ?? [];
    const [, file = ''] = /NODE_EXTRA_CA_CERTS=(\S+)/.exec(output) ?? [];
    const line = once(child.stdout, 'data');
    const { status } = await post(address, delivery([secret]), fs.readFileSync(file, 'utf8'));
    assert.equal(status, 204);
    const [printed] = (await line) as [Buffer];
    assert.equal((JSON.parse(String(printed)) as { verified: boolean }).verified, true);
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    assert.doesNotMatch(output, new RegExp(secret.slice(6).replaceAll('+', '\\+')));
  });

  it('says how to register it while it has no secret, and verifies with the one that is pasted', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'listen', '--port', '0'], {
      cwd: path.resolve(import.meta.dirname, '../..'),
      env: { PATH: process.env['PATH'], CHARTGATE_DATA_DIR: path.join(folder, 'data') },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (output += String(bytes)));
    const waitFor = async (text: string): Promise<void> => {
      while (!output.includes(text))
        await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
    };
    await waitFor('press Enter:');
    assert.match(output, /curl -X POST http:\/\/127\.0\.0\.1:3000\/v1\/organizations\/\$ORG\/webhooks/);
    const [, port = ''] = /http:\/\/localhost:(\d+)\//.exec(output) ?? [];
    const base = `http://127.0.0.1:${port}/`;
    assert.equal((await post(base, delivery([secret]))).status, 400);
    await waitFor('There is no secret to verify with yet');
    child.stdin.write('whsec_MTIz\n');
    await waitFor('holds 3 bytes');
    child.stdin.write(`${secret}\n`);
    await waitFor(`Verifying with the secret ${fingerprintSecret(secret)}`);
    assert.equal((await post(base, delivery([secret]))).status, 204);
    child.kill('SIGINT');
    await once(child, 'exit');
    assert.ok(!output.includes(secret));
  });

  const REFUSED: readonly (readonly [args: string, message: RegExp])[] = [
    [`--secret ${secret.slice(6)}`, /does not begin with whsec_/],
    ['--secret whsec_MTIz', /holds 3 bytes/],
    [`--secret ${secret} --secret whsec_%%%`, /number 2 is not whsec_ and base64/],
    [`--secret ${secret} --port http`, /It must be a port/],
    [`--secret ${secret} --forward ftp://x`, /http or https/],
  ];
  for (const [args, message] of REFUSED) {
    it(`refuses "${args.replaceAll(secret.slice(6), '…')}", and repeats no secret`, async () => {
      let written = '';
      const program = new Command().exitOverride().configureOutput({ writeErr: (text) => (written += text) });
      configureListenCommand(program.command('listen'));
      const refused = program.parseAsync(['listen', ...args.split(' ').filter(Boolean)], { from: 'user' });
      await assert.rejects(refused, (error: Error) => {
        assert.match(error.message, message);
        assert.ok(!`${error.message}${written}`.includes(secret.slice(6)));
        return true;
      });
    });
  }
});
