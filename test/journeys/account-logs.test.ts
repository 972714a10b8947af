import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { newPerson } from '../harness/account.ts';
import { findFreePort } from '../harness/postgres.ts';
import { createDatabase } from '../harness/store.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { PROGRAM, UNPREPARED } from '../harness/program.ts';

it('a server that logs all it can says nothing of the people who make accounts and sign in', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-logs-'));
  const port = await findFreePort();
  const child = spawn(process.execPath, [...UNPREPARED, PROGRAM, 'serve'], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      CHARTGATE_DATA_DIR: folder,
      CHARTGATE_LOG_LEVEL: 'trace',
      DATABASE_URL: await createDatabase(),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise((resolve) => child.once('close', resolve));
  let logged = '';
  const listening = new Promise<void>((resolve, reject) => {
    const keep = (bytes: Buffer): void => {
      logged += String(bytes);
      if (logged.includes('Chartgate listens')) resolve();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('close', () => reject(new Error(`the server ended: ${logged}`)));
  });
  try {
    await listening;
    const on = createTestBrowser({ baseUrl: `http://127.0.0.1:${port}` });
    const { email, password, firstName, lastName } = newPerson({
      email: 'ragnhild@mail.example',
      firstName: 'Ragnhild',
      lastName: 'Olafsdottir',
    });
    assert.equal((await on.post('/account/sign-up', { email })).status, 202);
    const token = await waitForLink(path.join(folder, 'outbox'));
    assert.equal((await on.post('/account/link', { token })).status, 200);
    const json = { token, password, firstName, lastName };
    assert.equal((await on.post('/account/password', { ...json, password: email })).status, 400);
    assert.equal((await on.post('/account/password', json)).status, 200);
    assert.equal((await on.post('/account/password', json)).status, 404);
    assert.equal((await on.post('/account/sign-in', { email, password: `${password}!` })).status, 401);
    assert.equal((await on.post('/account/sign-in', { email, password })).status, 200);
    const secrets = [...on.cookies.values(), await on.csrfToken(), token];
    assert.equal((await on.post('/account/sign-out')).status, 204);
    child.kill('SIGTERM');
    await exited;
    const named = [email, password, firstName, lastName, '127.0.0.1"', ...secrets];
    assert.ok(secrets.length === 4 && logged.length > 0);
    for (const word of named) assert.ok(!logged.toLowerCase().includes(word.toLowerCase()), word);
  } finally {
    child.kill('SIGKILL');
    await exited;
    fs.rmSync(folder, { recursive: true });
  }
});

async function waitForLink(outbox: string): Promise<string> {
  for (;;) {
    const mail = fs.existsSync(outbox) && fs.readdirSync(outbox).find((name) => name.endsWith('.eml'));
    // Quoted-printable breaks the line inside the link.
    const text = mail ? fs.readFileSync(path.join(outbox, mail), 'utf8').replace(/=\r\n/g, '') : '';
    const token = /#\/account\/link\/([\w-]{43})/.exec(text)?.[1];
    if (token !== undefined) return token;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
