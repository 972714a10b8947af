import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createMailTransport, type Mail } from './mail.ts';
import { OUTBOX_DAYS, purgeOutbox } from './outbox.ts';

const FIRST = new Date('2026-01-05T10:00:00.000Z');

function openOutbox(t: TestContext) {
  const outbox = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-outbox-')), 'outbox');
  t.after(() => fs.rmSync(path.dirname(outbox), { recursive: true }));
  let now = FIRST.getTime();
  const send = createMailTransport({
    clock: { now: () => new Date((now += 1000)) },
    report: () => {},
    usage: { count: () => {} },
    smtpUrl: undefined,
    outbox,
    from: 'no-reply@clinic.example',
  });
  const mail = (to: string, subject: string): Mail => ({ to, subject, text: `${subject} …` });
  const listSubjects = (): string[] =>
    fs
      .readdirSync(outbox)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => /^Subject: (.*)\r$/m.exec(fs.readFileSync(path.join(outbox, name), 'utf8'))?.[1] ?? '');
  return { outbox, send, mail, listSubjects };
}

describe('mails that are files', () => {
  it('are deleted after 30 days, and nothing that others have put there', async (t) => {
    const { outbox, send, mail, listSubjects } = openOutbox(t);
    await send(mail('ana@mail.example', 'one'));
    await send(mail('ana@mail.example', 'two'));
    fs.writeFileSync(path.join(outbox, '2020-01-01T000000.000Z-notes.txt'), 'mine');
    const due = new Date(FIRST.getTime() + OUTBOX_DAYS * 86_400_000 + 1500);
    await purgeOutbox(outbox, due);
    assert.deepEqual(listSubjects(), ['two']);
    assert.equal(fs.readdirSync(outbox).length, 2);
    await purgeOutbox(path.join(outbox, 'absent'), due);
  });

  it('are deleted with the last one to their address, whatever its letters', async (t) => {
    const { send, mail, listSubjects } = openOutbox(t);
    await send(mail('ana@mail.example', 'Link'));
    await send(mail('ana@mail.example.org', 'of another'));
    await send(mail('josé@büro.example', 'Link'));
    await send(mail('bo@mail.example', 'about ana@mail.example'));
    await send({ ...mail('Ana@Mail.example', 'Account deleted'), isLast: true });
    await send({ ...mail('josé@büro.example', 'Account deleted 2'), isLast: true });
    assert.deepEqual(listSubjects(), [
      'of another',
      'about ana@mail.example',
      'Account deleted',
      'Account deleted 2',
    ]);
  });
});
