import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import {
  findBackupWarnings,
  findIdleWarnings,
  findMisspeltVariables,
  readCheckedConfig,
  readServedConfig,
  requireSpaceForReserve,
} from './check-environment.ts';
import { ConfigurationError, readConfig } from './config.ts';
import { readDiskSpace } from './platform/db/disk-space.ts';
import { VERSION } from '../contract/version.ts';
import { renderStartupReport } from './startup-report.ts';

/** A port of loopback that nothing listens on. */
async function findClosedPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('the environment', () => {
  it('has an identity provider with all that it needs, or none', () => {
    const some = {
      CHARTGATE_OIDC_ISSUER: 'https://login.clinic.example',
      CHARTGATE_OIDC_ROLES: 'groups; a=owner',
    };
    assert.throws(() => readConfig(some), /CHARTGATE_OIDC_CLIENT_ID must be set too.*\n.*CLIENT_SECRET must/);
    assert.throws(() => readConfig({ CHARTGATE_OIDC_ONLY: '1' }), /CHARTGATE_OIDC_ISSUER must be set too/);
    assert.throws(
      () => readConfig({ ...some, CHARTGATE_OIDC_ROLES: 'groups' }),
      ({ faults }: ConfigurationError) => {
        const ofRoles = faults.filter((fault) => fault.startsWith('CHARTGATE_OIDC_ROLES'));
        return faults.length === 3 && ofRoles.length === 1 && /must name a claim/.test(ofRoles.join());
      },
    );
    const all = { ...some, CHARTGATE_OIDC_CLIENT_ID: 'chartgate', CHARTGATE_OIDC_CLIENT_SECRET: 'secret' };
    assert.deepEqual(readConfig(all).oidc?.roles.rules, [{ group: 'a', role: 'owner' }]);
    assert.equal(readConfig({}).oidc, null);
  });

  it('has the key of secrets by either of its names, and by both only where they agree', () => {
    const [one, other] = [1, 2].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer];
    const read = (keys: string | undefined, alias: string | undefined): readonly Uint8Array[] =>
      readConfig({ CHARTGATE_SECRETS_KEY: keys, CHARTGATE_SEAL_KEY: alias }).secrets.keys;
    const [text, url] = [one.toString('base64'), one.toString('base64url')];
    assert.deepEqual(read(undefined, undefined), []);
    for (const [keys, alias] of [
      [text, undefined],
      [undefined, text],
      ['', url],
      [text, url],
    ])
      assert.deepEqual(read(keys, alias), [one]);
    const both = `${other.toString('base64')},${text}`;
    assert.deepEqual(read(undefined, both), [other, one]);
    assert.throws(() => read(text, both), /CHARTGATE_SEAL_KEY must be the same as CHARTGATE_SECRETS_KEY/);
    assert.throws(() => read(text, 'short'), /CHARTGATE_SEAL_KEY must be 32 bytes in Base64/);
    assert.throws(() => read('short', text), /^(?!.*the same).*CHARTGATE_SECRETS_KEY must be 32 bytes/s);
  });

  it('has an origin as the base URL, in the spelling that clients compare', () => {
    const readBaseUrl = (text: string): string => readConfig({ CHARTGATE_BASE_URL: text }).http.baseUrl;
    for (const text of [
      'https://h.example',
      'https://h.example/',
      'https://H.Example:443',
      'HTTPS://h.example',
    ])
      assert.equal(readBaseUrl(text), 'https://h.example');
    assert.equal(readBaseUrl('http://[::1]:3000/'), 'http://[::1]:3000');
    for (const rest of ['/chart', '/chart/', '//', '/?x=1', '?', '/#', '#consent'])
      assert.throws(
        () => readBaseUrl(`https://h.example${rest}`),
        /must be an origin, such as https:\/\/\w/,
        rest,
      );
    assert.throws(() => readBaseUrl('https://keeper:hush-hush@h.example'), /^(?!.*hush).*must be an origin/s);
    assert.throws(() => readBaseUrl('h.example'), /must be an address that begins with http/);
  });

  it('has addresses that others are made of without a query and a fragment', () => {
    for (const name of [
      'CHARTGATE_CONSENT_APP_URL',
      'CHARTGATE_EMBEDDINGS_URL',
      'CHARTGATE_OIDC_ISSUER',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ])
      for (const rest of ['?x=1', '/#'])
        assert.throws(
          () => readConfig({ [name]: `https://h.example/a${rest}` }),
          new RegExp(`${name} must be`),
        );
    const { http } = readConfig({ CHARTGATE_CONSENT_APP_URL: 'https://H.example:443/consent/' });
    assert.equal(http.consentAppUrl, 'https://h.example/consent', 'as browsers name it');
  });

  it('has its faults in one list, a database that does not answer included, without its password', async () => {
    const url = `postgresql://keeper:hush-hush@127.0.0.1:${await findClosedPort()}/records`;
    await assert.rejects(
      readCheckedConfig({ DATABASE_URL: url, PORT: 'many', CHARTGATE_TRUSTED_PROXIES: 'the proxy' }),
      (error: unknown) => {
        assert.ok(error instanceof ConfigurationError);
        assert.equal(error.faults.length, 3);
        assert.match(
          error.message,
          /DATABASE_URL must .*records at 127\.0\.0\.1:\d+ does not, because nothing listens there/,
        );
        assert.doesNotMatch(error.message, /hush|keeper/);
        return true;
      },
    );
  });

  it('has a fault named with its variable, where a name, an address or a network cannot be one', () => {
    for (const [name, bad, good] of [
      ['HOST', ['a b', 'http://a', '999.1.1.1', '1.2.3.4.5'], ['127.0.0.1', '::1', 'node-1.internal']],
      [
        'CHARTGATE_TRUSTED_PROXIES',
        [
          '0.0.0.0/0',
          '::/0',
          '10.0.0.0/00',
          'proxy',
          '1.2.3',
          '10.1/16',
          '0x7f.1',
          '010.0.0.1',
          '10.0.0.0/33',
          '10.0.0.0/',
        ],
        ['10.0.0.0/8,::1', '192.0.2.7', 'fd00::/8'],
      ],
      [
        'CHARTGATE_ALLOWED_HOSTS',
        ['https://a.example/', 'a/b', 'a b', '999.1.1.1'],
        ['a.example:8443,[::1]:80', '127.0.0.1'],
      ],
      [
        'CHARTGATE_MAIL_FROM',
        ['foo', 'Foo <a>', '<a@b', 'Clinic\r\nBcc: x <a@b.example>'],
        ['a@b.example', 'Clinic <a@b.example>'],
      ],
      ['SMTP_URL', ['smtp://', 'smtp:///x'], ['smtp://mail.example:25', 'smtps://u:p@mail.example']],
    ] as const) {
      for (const value of bad)
        assert.throws(() => readConfig({ [name]: value }), new RegExp(`\\n  ${name} must`), value);
      for (const value of good) assert.doesNotThrow(() => readConfig({ [name]: value }), value);
    }
  });

  it('has numbers as a person writes them, and no list with an empty item', () => {
    for (const [name, bad] of [
      ['PORT', ['1e3', '0x1f', ' ', '3000.0', '-1', '1_000']],
      ['CHARTGATE_QUOTA_BYTES', ['1e9', '99999999999999999999']],
      ['CHARTGATE_WEBHOOK_RETRY_DELAYS', ['5,,3', '1e3', '5,0x3', '5,', ' ', '5 3', '0', '1,2,3,4,5,6,7,8']],
      ['OTEL_TRACES_SAMPLER_ARG', [' ', '0x1', '2', '1.2.3']],
      ['CHARTGATE_ALLOWED_HOSTS', ['a.example,,b.example']],
      ['CHARTGATE_TRUSTED_PROXIES', ['10.0.0.1,']],
      ['CHARTGATE_SECRETS_KEY', [`${Buffer.alloc(32).toString('base64')},`]],
    ] as const)
      for (const value of bad)
        assert.throws(() => readConfig({ [name]: value }), new RegExp(`\\n  ${name} must be[^\\n]*$`), value);
    assert.equal(readConfig({ PORT: ' 8080 ' }).http.port, 8080);
    assert.deepEqual(readConfig({ CHARTGATE_WEBHOOK_RETRY_DELAYS: '5, 30' }).webhooks.retryDelays, [5, 30]);
    for (const [text, ratio] of [
      ['.25', 0.25],
      ['1', 1],
      ['1e-3', 0.001],
    ] as const)
      assert.equal(
        readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.example', OTEL_TRACES_SAMPLER_ARG: text })
          .telemetry?.sampler.ratio,
        ratio,
      );
  });

  it('has a base URL where no URL can name the address to listen on', () => {
    assert.throws(
      () => readConfig({ HOST: 'fe80::1%eth0', CHARTGATE_MCP_RATE_LIMIT: 'many' }),
      /\n {2}CHARTGATE_MCP_RATE_LIMIT must[^]*\n {2}CHARTGATE_BASE_URL must be set/,
    );
    const { http } = readConfig({ HOST: 'fe80::1%eth0', CHARTGATE_BASE_URL: 'http://records.example' });
    assert.equal(http.host, 'fe80::1%eth0');
  });

  it('has texts in one line, of a length that is said in its own words', () => {
    for (const name of [
      'CHARTGATE_EMBEDDINGS_MODEL',
      'CHARTGATE_EMBEDDINGS_KEY',
      'CHARTGATE_METRICS_TOKEN',
      'CHARTGATE_OIDC_CLIENT_SECRET',
      'CHARTGATE_OBJECT_STORE_SECRET_ACCESS_KEY',
      'OTEL_SERVICE_NAME',
    ])
      assert.throws(
        () => readConfig({ [name]: 'a text of some length\nand another' }),
        new RegExp(`\\n  ${name} must be one line, without control characters`),
      );
    assert.throws(
      () => readConfig({ CHARTGATE_EMBEDDINGS_MODEL: 'm'.repeat(201) }),
      /\n {2}CHARTGATE_EMBEDDINGS_MODEL must have at most 200 characters$/,
    );
  });

  it('has settings named that have no effect without another one', () => {
    const keys = {
      CHARTGATE_OBJECT_STORE_ACCESS_KEY_ID: 'chartgate',
      CHARTGATE_OBJECT_STORE_SECRET_ACCESS_KEY: 'secret',
    };
    assert.deepEqual(findIdleWarnings(readConfig({ ...keys, CHARTGATE_EMBEDDINGS_KEY: 'secret' })), [
      'CHARTGATE_OBJECT_STORE_ACCESS_KEY_ID has no effect without CHARTGATE_OBJECT_STORE_URL',
      'CHARTGATE_OBJECT_STORE_SECRET_ACCESS_KEY has no effect without CHARTGATE_OBJECT_STORE_URL',
      'CHARTGATE_EMBEDDINGS_KEY has no effect without CHARTGATE_EMBEDDINGS_URL',
    ]);
    const whole = { ...keys, CHARTGATE_OBJECT_STORE_URL: 'https://s3.example/bucket' };
    assert.deepEqual(findIdleWarnings(readConfig(whole)), []);
  });

  it('has in that list what is wrong with the database that DATABASE_URL_FILE names', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-environment-'));
    const file = path.join(folder, 'url');
    fs.writeFileSync(file, `postgresql://keeper:hush-hush@127.0.0.1:${await findClosedPort()}/records\n`);
    try {
      await assert.rejects(readCheckedConfig({ DATABASE_URL_FILE: file, PORT: 'many' }), (error: unknown) => {
        assert.ok(error instanceof ConfigurationError);
        assert.equal(error.faults.length, 2);
        assert.match(error.message, /records at 127\.0\.0\.1:\d+ does not, because nothing listens there/);
        assert.doesNotMatch(error.message, /hush|keeper/);
        return true;
      });
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('has a folder in that list that who serves cannot write to, wherever something is kept there', async () => {
    const inFile = path.join(process.execPath, 'data');
    const serve = (environment: Record<string, string>) =>
      readServedConfig({ PORT: 'many', CHARTGATE_DATA_DIR: inFile, ...environment });
    const DATABASE_URL = `postgresql://keeper@127.0.0.1:${await findClosedPort()}/records`;
    const fault =
      /\n {2}PORT must[^]*\n {2}CHARTGATE_DATA_DIR must name a folder that this user may write to: .*\(ENOTDIR\)$/;
    await assert.rejects(serve({}), fault);
    await assert.rejects(serve({ SMTP_URL: 'smtp://mail.example' }), fault);
    await assert.rejects(serve({ DATABASE_URL }), fault);
    await assert.rejects(
      serve({ DATABASE_URL, PORT: '3000' }),
      /DATABASE_URL must[^]*CHARTGATE_DATA_DIR must/,
    );
    await assert.rejects(
      serve({ DATABASE_URL, SMTP_URL: 'smtp://mail.example' }),
      /^(?!.*CHARTGATE_DATA_DIR).*PORT must/s,
      'where nothing is kept there',
    );
    if (fs.existsSync('/proc/self'))
      await assert.rejects(
        readServedConfig({ CHARTGATE_DATA_DIR: '/proc/nope' }),
        /\n {2}CHARTGATE_DATA_DIR must name a folder/,
      );
  });

  it('has a folder of backups that is not there named', () => {
    const find = (folder: string): string[] =>
      findBackupWarnings(readConfig({ CHARTGATE_BACKUP_DIR: folder }));
    assert.match(find('/nonexistent/backups').join(), /^CHARTGATE_BACKUP_DIR names \/nonexistent\/backups,/);
    assert.deepEqual(find(os.tmpdir()), []);
  });

  it('has a reserve refused that the disk cannot hold, and one named that leaves no space for uploads', () => {
    const { total } = readDiskSpace(os.tmpdir());
    const check = (bytes: number): string[] =>
      requireSpaceForReserve(
        readConfig({
          CHARTGATE_DATA_DIR: path.join(os.tmpdir(), 'not-there-yet/data'),
          CHARTGATE_RESERVE_BYTES: String(Math.floor(bytes)),
        }),
      );
    assert.throws(
      () => check(total),
      /\n {2}CHARTGATE_RESERVE_BYTES must leave space .* holds \d+ MiB, and \d+ MiB/,
    );
    assert.match(check(total / 5).join(), /^CHARTGATE_RESERVE_BYTES leaves no space for uploads/);
    assert.deepEqual(check(total / 10), []);
  });

  it('has a free port where PORT is 0, which the base URL names, unless there is another one', async (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-environment-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const environment: Record<string, string> = { PORT: '0', CHARTGATE_DATA_DIR: folder };
    const { port, baseUrl } = (await readServedConfig(environment)).http;
    assert.ok(port > 0);
    assert.equal(baseUrl, `http://127.0.0.1:${port}`);
    assert.equal(environment['PORT'], String(port), 'of the processes that share it');
    const named = { PORT: '0', CHARTGATE_DATA_DIR: folder, CHARTGATE_BASE_URL: 'https://records.example' };
    assert.equal((await readServedConfig(named)).http.port, 0);
  });

  it('has a base URL that can be called, of the addresses of all of the machine', () => {
    for (const HOST of ['0.0.0.0', '::'])
      assert.equal(readConfig({ HOST }).http.baseUrl, 'http://localhost:3000');
    assert.equal(readConfig({ HOST: '::1' }).http.baseUrl, 'http://[::1]:3000');
    assert.equal(readConfig({ HOST: '192.0.2.7' }).http.baseUrl, 'http://192.0.2.7:3000');
  });

  it('has misspelt variables named with the setting that they resemble', () => {
    assert.deepEqual(
      findMisspeltVariables({
        CHARTGATE_BASEURL: 'x',
        CHARTGATE_WEBHOOKS_ALLOW_PRIVATE: '1',
        CHARTGATE_NOTHING_OF_THE_KIND_AT_ALL: '1',
        CHARTGATE_LISTEN_SECRET: 'x',
        CHARTGATE_METRICS_TOKEN_FILE: 'x',
        PATH: 'x',
      }),
      [
        'CHARTGATE_BASEURL is no setting of Chartgate and has no effect; did you mean CHARTGATE_BASE_URL?',
        'CHARTGATE_NOTHING_OF_THE_KIND_AT_ALL is no setting of Chartgate and has no effect',
        'CHARTGATE_WEBHOOKS_ALLOW_PRIVATE is no setting of Chartgate and has no effect; did you mean CHARTGATE_WEBHOOK_ALLOW_PRIVATE?',
      ],
    );
  });
});

describe('the startup report', () => {
  const address = 'http://127.0.0.1:3000';
  const secrets = { plain: 0, current: 0, previous: 0, unknown: 0 };

  it('says in one block where everything is, and that nothing is open', () => {
    const config = readConfig({ CHARTGATE_DATA_DIR: '/srv/chartgate' });
    assert.equal(
      renderStartupReport(config, { address, metricsAddress: null, secrets }),
      `Chartgate ${VERSION}
  listens at  http://127.0.0.1:3000
  base URL    http://127.0.0.1:3000
  console     http://127.0.0.1:3000/console
  store       embedded, in /srv/chartgate
  mails       files in /srv/chartgate/outbox
  secrets     in plain text (CHARTGATE_SECRETS_KEY is not set)
  metrics     not served
  open        nothing beyond the defaults
`,
    );
  });

  it('finds settings whose names are without our prefix, and refuses what can only be DATABASE_URL', () => {
    const database = 'postgres://db.example/charts';
    const hint = (name: string): string =>
      findMisspeltVariables({ [name]: 'x' })[0]?.replace(/.*did you mean (.*)\?/, '$1') ?? '';
    assert.deepEqual(
      ['CHARTGATE_DATABASE_URL', 'CHARTGATE_SMTP_URL', 'CHARTGATE_PORT', 'CHARTGATE_DATBASE_URL_FILE'].map(
        hint,
      ),
      ['DATABASE_URL', 'SMTP_URL', 'PORT', 'DATABASE_URL_FILE'],
    );
    assert.equal(hint('CHARTGATE_FOO_BAR'), 'CHARTGATE_FOO_BAR is no setting of Chartgate and has no effect');
    for (const name of ['CHARTGATE_DATABASE_URL', 'CHARTGATE_DATBASE_URL', 'CHARTGATE_DATABASE_URL_FILE'])
      assert.throws(() => readConfig({ [name]: database }), {
        code: 'configuration',
        message: new RegExp(`DATABASE_URL must be set: ${name} is no setting`),
      });
    readConfig({ CHARTGATE_DATABASE_URL: database, DATABASE_URL: database });
    readConfig({ CHARTGATE_DATABASE_URL: '', CHARTGATE_DATA_DIRS: '/srv' });
  });

  it('says how many secrets no key opens, and what to do', () => {
    const config = readConfig({ CHARTGATE_SECRETS_KEY: Buffer.alloc(32).toString('base64') });
    const places = { address, metricsAddress: null };
    const counted = { plain: 0, current: 3, previous: 0, unknown: 0 };
    assert.match(renderStartupReport(config, { ...places, secrets: counted }), /secrets {5}sealed\n/);
    assert.match(
      renderStartupReport(config, { ...places, secrets: { ...counted, unknown: 2 } }),
      /secrets {5}2 in the store cannot be used: .*set the key of before, after the present one and a comma\n/,
    );
    assert.match(
      renderStartupReport(readConfig({}), { ...places, secrets: { ...counted, unknown: 2 } }),
      /secrets {5}2 in the store cannot be used: .* is not set; set it to the key of before\n/,
    );
    assert.match(
      renderStartupReport(config, { ...places, secrets: { ...counted, previous: 1 } }),
      /secrets {5}sealed; not under the first key yet: 1 of 4, which are within the hour\n/,
    );
  });

  it('says that others than this machine are refused under a base URL that nobody set', () => {
    const render = (environment: Record<string, string>): string =>
      renderStartupReport(readConfig(environment), { address, metricsAddress: null, secrets });
    assert.match(
      render({ HOST: '0.0.0.0' }),
      /base URL {4}http:\/\/localhost:3000 \(CHARTGATE_BASE_URL is not set: .* refused, 403 host_not_allowed\)\n/,
    );
    assert.doesNotMatch(
      render({ HOST: '0.0.0.0', CHARTGATE_BASE_URL: 'https://records.example' }),
      /not set: requests/,
    );
  });

  it('says what goes to a collector, and what does not work as it is set', () => {
    const render = (environment: Record<string, string>, warnings: string[] = []): string =>
      renderStartupReport(
        readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318', ...environment }),
        { address, metricsAddress: null, secrets, warnings },
      );
    assert.match(render({}), /telemetry {3}traces and metrics to collector\.example:4318\n/);
    assert.match(render({ OTEL_TRACES_EXPORTER: 'none' }), /telemetry {3}metrics to collector/);
    assert.doesNotMatch(
      render({ OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }),
      /telemetry|collector/,
    );
    assert.match(render({}, ['uploads are refused: x']), /\n {2}warning {5}uploads are refused: x\n$/);
  });

  it('names what is open, and no secret', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      CHARTGATE_BASE_URL: 'http://records.example',
      DATABASE_URL: 'postgresql://keeper:hush@db.example:5433/records',
      SMTP_URL: 'smtp://sender:hush@mail.example:587',
      CHARTGATE_METRICS_TOKEN: 'hush-hush-hush-hush',
      CHARTGATE_WEBHOOK_ALLOW_PRIVATE: '1',
      CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: '60',
    });
    const text = renderStartupReport(config, {
      address,
      metricsAddress: 'http://10.0.0.1:9464/metrics',
      secrets,
    });
    for (const part of [
      'PostgreSQL, records at db.example:5433',
      'over SMTP, mail.example:587',
      'http://10.0.0.1:9464/metrics and http://records.example/metrics (with the token)',
      'other machines reach it (HOST 0.0.0.0)',
      'not https',
      'CHARTGATE_WEBHOOK_ALLOW_PRIVATE',
      'CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS',
    ])
      assert.ok(text.includes(part), part);
    assert.doesNotMatch(text, /hush|keeper|sender/);
  });
});
