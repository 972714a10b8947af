import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { createSmtpTransport } from './smtp-transport.ts';

const MAIL = { from: 'a@clinic.example', to: 'b@patients.example', subject: 'Your link', text: 'https://…' };

describe('case 345: a mail server that offers no TLS, or whose STARTTLS somebody strips', () => {
  const received: string[] = [];
  const logins: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username }, _session, done) {
      logins.push(String(username));
      done(null, { user: username });
    },
    onData(stream, { remoteAddress }, done) {
      received.push(remoteAddress);
      stream.resume().once('end', () => done());
    },
  });
  let port: number;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    ({ port } = server.server.address() as AddressInfo);
  });
  after(() => new Promise<void>((done) => server.close(done)));

  const send = async (query: string, isPublic: boolean): Promise<string> => {
    const open = createSmtpTransport(`smtp://user:secret@localhost:${port}${query}`, {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isPublic: () => isPublic,
    });
    const transport = await open();
    return transport.sendMail(MAIL).then(
      () => 'sent',
      (error: { code?: string }) => String(error.code),
    );
  };

  it('gets neither the password nor a mail over the internet, unless the operator says so', async () => {
    assert.equal(await send('', true), 'ETLS');
    assert.deepEqual([received, logins], [[], []]);
    assert.equal(await send('?ignoreTLS=true', true), 'sent');
    assert.deepEqual([received.splice(0), logins.splice(0)], [['127.0.0.1'], ['user']]);
  });

  it('gets mails in a private network, at the address that was looked at', async () => {
    assert.equal(await send('', false), 'sent');
    assert.deepEqual([received, logins], [['127.0.0.1'], ['user']]);
  });

  it('is on the internet where a name server makes IPv6 addresses of IPv4 ones (DNS64), too', async () => {
    for (const [address, requireTLS] of [
      ['64:ff9b::5db8:d822', true],
      ['64:ff9b::a00:1', undefined],
    ] as const) {
      const open = createSmtpTransport('smtp://mail.example', {
        resolve: async () => [{ address, family: 6 }],
      });
      const { options } = (await open()) as unknown as { options: { requireTLS?: boolean } };
      assert.equal(options.requireTLS, requireTLS, address);
    }
  });
});
