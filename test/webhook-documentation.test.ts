import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { AttemptFault } from '../contract/webhooks/webhook-deliveries.ts';
import { buildExampleEnvelope } from '../contract/webhooks/webhook-events.ts';
import { MAX_WEBHOOKS } from '../contract/webhooks/webhooks.ts';
import { generateEventId } from '../server/surfaces/webhooks/events/event-id.ts';
import { generateWebhookSecret } from '../server/surfaces/webhooks/signing.ts';
import { buildSignedHeaders } from '../server/surfaces/webhooks/signing.ts';
import { ROOT } from './harness/process.ts';
import { findFreePort } from './harness/postgres.ts';

const PAGE = fs.readFileSync(path.join(ROOT, 'docs/webhooks.md'), 'utf8');

/** The one example in a language that holds `mark`. */
function readExample(language: string, mark: string): string {
  const all = [...PAGE.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].flatMap(([, name, text = '']) =>
    name === language && text.includes(mark) ? [text] : [],
  );
  assert.equal(all.length, 1, `${language} with ${mark}`);
  return all[0] ?? '';
}

const isInstalled = (program: string, ask = '--version'): boolean =>
  spawnSync(program, [ask], { stdio: 'ignore' }).status === 0;

const secret = generateWebhookSecret();

function buildDelivery(by = secret, at = new Date()): { headers: Record<string, string>; body: string } {
  const id = generateEventId(at);
  // Not as JSON.stringify writes it, and beyond ASCII: whoever parses and writes it anew is found out.
  const body = JSON.stringify({ ...buildExampleEnvelope('consent.withdrawn'), note: 'ä€😀' }, null, 1);
  return { headers: buildSignedHeaders([generateWebhookSecret(), by], { id, body, at }), body };
}

const TOO_OLD = new Date(Date.now() - 10 * 60_000);

describe('the page about webhooks', () => {
  let folder: string;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-snippets-'));
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  for (const framework of ['express', 'fastify'])
    it(`has a receiver with ${framework} that takes what is genuine and nothing else`, async () => {
      const file = path.join(folder, `${framework}.mjs`);
      fs.writeFileSync(file, readExample('js', `from '${framework}'`));
      const port = await findFreePort();
      const child = spawn(process.execPath, [file], {
        env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const url = `http://localhost:${port}/webhooks`;
      const genuine = buildDelivery();
      let printed = '';
      child.stdout.on('data', (bytes: Buffer) => (printed += String(bytes)));
      while (!(await isAnswering(url))) await new Promise((resolve) => setTimeout(resolve, 20));
      const verifyStatus = async ({ headers, body }: typeof genuine): Promise<number> =>
        (await fetch(url, { method: 'POST', headers, body })).status;
      assert.equal(await verifyStatus(genuine), 204);
      assert.equal(await verifyStatus({ ...genuine, body: `${genuine.body} ` }), 400);
      assert.equal(await verifyStatus(buildDelivery(generateWebhookSecret())), 400);
      assert.equal(await verifyStatus(buildDelivery(secret, TOO_OLD)), 400);
      child.kill();
      await once(child, 'close');
      assert.equal(printed, `${genuine.headers['webhook-id']} consent.withdrawn\n`);
    });

  it(
    'verifies by hand in Python as the library does',
    { skip: isInstalled('python3') ? false : 'no python3' },
    () => {
      const genuine = buildDelivery();
      const cases = [
        genuine,
        { ...genuine, body: `${genuine.body} ` },
        buildDelivery(generateWebhookSecret()),
        buildDelivery(secret, TOO_OLD),
        { ...genuine, headers: { ...genuine.headers, 'webhook-timestamp': '٣' } },
      ];
      const code = `${readExample('python', 'def is_genuine')}
import json, sys
print([is_genuine(${JSON.stringify(secret)}, one["headers"], one["body"].encode()) for one in json.load(sys.stdin)])`;
      const { stdout, stderr } = spawnSync('python3', ['-c', code], {
        input: JSON.stringify(cases),
        encoding: 'utf8',
      });
      assert.deepEqual([stdout, stderr], ['[True, False, False, False, False]\n', '']);
    },
  );

  it(
    'finds the signature in a shell that the library makes',
    { skip: isInstalled('openssl', 'version') ? false : 'no openssl' },
    () => {
      const { headers, body } = buildDelivery();
      fs.writeFileSync(path.join(folder, 'body.json'), body);
      const { stdout, stderr } = spawnSync('sh', ['-c', readExample('sh', 'openssl dgst')], {
        cwd: folder,
        encoding: 'utf8',
        env: {
          ...process.env,
          WEBHOOK_SECRET: secret,
          ID: headers['webhook-id'],
          TIMESTAMP: headers['webhook-timestamp'],
        },
      });
      assert.deepEqual([`v1,${stdout}`, stderr], [headers['webhook-signature']?.split(' ')[1], '']);
    },
  );

  it('has advice for every fault of an attempt', () => {
    const advised = [...PAGE.matchAll(/^\| (`\w+`(?: · `\w+`)*) \|/gm)].flatMap(([, names = '']) =>
      names.split(' · ').map((name) => name.replaceAll('`', '')),
    );
    assert.deepEqual(
      AttemptFault.options.filter((fault) => !advised.includes(fault)),
      [],
    );
  });

  it('states the actual limits', () => {
    assert.match(PAGE, new RegExp(`webhooks of an organization \\| ${MAX_WEBHOOKS} \\|`));
  });
});

const isAnswering = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );
