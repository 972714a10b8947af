import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigurationError, readConfig } from '../server/config.ts';
import { AUDIT_ACTIONS } from '../server/platform/audit/actions.ts';
import { renderConfigurationPage } from '../tools/configuration-page.ts';
import { renderAuditPage } from '../tools/audit-page.ts';
import { renderStoragePage } from '../tools/storage-page.ts';
import { renderWebhooksPage } from '../tools/webhooks-page.ts';

describe('the generated pages', () => {
  const page = (name: string): string => fs.readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

  it('describe every setting as it is (else: npm run docs)', () => {
    assert.equal(page('configuration.md'), renderConfigurationPage());
  });

  it('describe every table as it is (else: npm run docs)', () => {
    assert.equal(page('storage.md'), renderStoragePage());
  });

  it('describe every event and every retry as they are (else: npm run docs)', () => {
    assert.equal(page('webhooks.md'), renderWebhooksPage(page('webhooks.md')));
    assert.equal(page('audit.md'), renderAuditPage(page('audit.md')));
  });
});

describe('the audit log', () => {
  const root = path.resolve(import.meta.dirname, '..');
  const sources = fs
    .globSync('{server,cli}/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .filter((file) => !file.endsWith('audit/actions.ts'))
    .map((file) => fs.readFileSync(path.join(root, file), 'utf8'));

  it('has no action in its list that nothing writes', () => {
    assert.deepEqual(
      Object.keys(AUDIT_ACTIONS).filter((action) => !sources.some((text) => text.includes(`'${action}'`))),
      [],
    );
  });

  it('has every action in its list that anything writes', () => {
    const written = sources.flatMap((text) =>
      [...text.matchAll(/\baction: '([^']+)'/g)].map(([, name]) => name),
    );
    assert.ok(written.length > 20);
    assert.deepEqual(
      written.filter((name) => !Object.hasOwn(AUDIT_ACTIONS, name ?? '')),
      [],
    );
  });
});

describe('the written pages', () => {
  const root = path.resolve(import.meta.dirname, '..');
  const pages = [
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'README.md',
    'SECURITY.md',
    'docs/*.md',
    'docs/start/*.md',
    'docs/decisions/*.md',
  ];

  it('name only files and folders that there are', () => {
    for (const page of fs.globSync(pages, { cwd: root })) {
      const text = fs.readFileSync(path.join(root, page), 'utf8');
      const named = [
        ...text.matchAll(
          /`((?:server|contract|documents|web|cli|tools|test|platform|identity|consent|clinical|surfaces)\/[\w./*{},-]+)`/g,
        ),
      ];
      for (const [, name = ''] of named)
        assert.ok(
          [name, `${name}.ts`, `server/${name}`, `server/${name}.ts`].some(
            (pattern) => fs.globSync(pattern, { cwd: root }).length > 0,
          ),
          `${page} names ${name}`,
        );
    }
  });

  it('name every file that holds words for patients: those with Spanish, but for lists of words', () => {
    const text = fs.readFileSync(path.join(root, 'docs/words.md'), 'utf8');
    const folders = [...text.matchAll(/`(web\/[\w/]+\/words)\//g)].map(([, folder]) => folder ?? '');
    const spanish = fs
      .globSync('{server,web}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.ts', '**/node_modules'] })
      .filter((file) => !file.startsWith('server/clinical/'))
      // Each subject of the console has a folder of its own.
      .filter((file) => !/^web\/console\/src\/(?:[\w-]+\/)*words\//.test(file))
      .filter((file) => /[áéíóúñ¿¡]/.test(fs.readFileSync(path.join(root, file), 'utf8')));
    assert.ok(spanish.length > 15);
    assert.deepEqual(
      spanish.filter((file) => !text.includes(file) && !folders.some((folder) => file.startsWith(folder))),
      [],
    );
  });

  it('link only to pages that there are', () => {
    for (const page of fs.globSync(pages, { cwd: root })) {
      const text = fs.readFileSync(path.join(root, page), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g))
        assert.ok(
          fs.existsSync(path.resolve(root, path.dirname(page), target)),
          `${page} links to ${target}`,
        );
    }
  });
});

describe('the configuration', () => {
  it('says of every setting in plain words what it must be', () => {
    const faults: string[] = [];
    for (const [name, value] of Object.entries({
      PORT: '70000',
      CHARTGATE_BASE_URL: 'ftp://x',
      DATABASE_URL: 'mysql://x',
      CHARTGATE_OAUTH_PROJECT_ID: '7',
      CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: '-1',
      CHARTGATE_SOURCES_ALLOW_PRIVATE: 'yes',
      CHARTGATE_WEBHOOK_RETRY_DELAYS: '5,soon',
      CHARTGATE_TRUSTED_PROXIES: '10.0.0.0/8, proxy.example',
      CHARTGATE_METRICS_TOKEN: 'short',
      CHARTGATE_QUOTA_BYTES: '2 GiB',
      CHARTGATE_MAIL_FROM: 'x',
      CHARTGATE_LOG_LEVEL: 'loud',
    }))
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => {
          assert.ok(error instanceof ConfigurationError);
          assert.equal(error.faults.length, 1);
          assert.match(error.faults[0] ?? '', new RegExp(`^${name} must (be|have) [A-Za-z0-9]`));
          assert.doesNotMatch(error.faults[0] ?? '', /Invalid|NaN|regex|expected/);
          return faults.push(...error.faults) > 0;
        },
      );
    assert.equal(new Set(faults).size, 12);
  });

  it('reports all errors together', () => {
    const read = (): unknown =>
      readConfig({ PORT: 'many', DATABASE_URL: 'mysql://x', CHARTGATE_LOG_LEVEL: 'loud' });
    assert.throws(
      read,
      (error: Error) =>
        error instanceof ConfigurationError &&
        ['PORT', 'DATABASE_URL', 'CHARTGATE_LOG_LEVEL'].every((name) => error.message.includes(name)),
    );
  });

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-config-'));
  after(() => fs.rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
  };

  it('reads a value from the file that NAME_FILE names', () => {
    const file = write('url', 'postgresql://db.example/chartgate\n');
    assert.equal(readConfig({ DATABASE_URL_FILE: file }).db.databaseUrl, 'postgresql://db.example/chartgate');
  });

  it('reads it from one place where the variable and its file say different things', () => {
    const SMTP_URL_FILE = write('smtp', 'smtp://mail.example\n');
    assert.equal(
      readConfig({ SMTP_URL: 'smtp://mail.example', SMTP_URL_FILE }).mail.smtpUrl,
      'smtp://mail.example',
    );
    assert.throws(
      () => readConfig({ SMTP_URL: 'smtp://other.example', SMTP_URL_FILE }),
      /SMTP_URL and SMTP_URL_FILE must not both be set/,
    );
  });

  it('names the certificates of DATABASE_URL that cannot be read, and a port that is to be two', () => {
    const key = write('key', 'key');
    const url = `postgresql://db.example/cg?sslmode=verify-full&sslrootcert=/nowhere/ca.crt&sslcert=${folder}&sslkey=${key}`;
    assert.throws(
      () => readConfig({ DATABASE_URL: url, PORT: '3000', CHARTGATE_METRICS_PORT: '3000' }),
      ({ faults }: ConfigurationError) => {
        assert.deepEqual(faults.toSorted(), [
          'CHARTGATE_METRICS_PORT must be another port than PORT',
          'DATABASE_URL must name a file that can be read as sslcert; this is a folder',
          'DATABASE_URL must name a file that can be read as sslrootcert; there is none of this name',
        ]);
        return true;
      },
    );
  });

  it('names in one list the files that hold no value, or a wrong one, and shows neither paths nor contents', () => {
    assert.throws(
      () =>
        readConfig({
          PORT: 'many',
          SMTP_URL_FILE: '/nowhere/at/all',
          DATABASE_URL_FILE: folder,
          CHARTGATE_METRICS_TOKEN_FILE: write('token', 'hush'),
          CHARTGATE_MAIL_FROM_FILE: write('from', ' \n'),
        }),
      (error: unknown) => {
        assert.ok(error instanceof ConfigurationError);
        assert.deepEqual(error.faults.toSorted(), [
          'CHARTGATE_MAIL_FROM_FILE must name a file that holds a value; this one is empty',
          'CHARTGATE_METRICS_TOKEN_FILE must have at least 16 characters',
          'DATABASE_URL_FILE must name a file that can be read; this is a folder',
          'PORT must be a whole number from 0 to 65535',
          'SMTP_URL_FILE must name a file that can be read; there is none of this name',
        ]);
        return true;
      },
    );
  });

  it('takes an empty variable for an absent one, and a base address without its slash', () => {
    const config = readConfig({ DATABASE_URL: '', CHARTGATE_BASE_URL: 'https://records.example/' });
    assert.equal(config.db.databaseUrl, undefined);
    assert.equal(config.http.baseUrl, 'https://records.example');
    assert.equal(config.http.consentAppUrl, 'https://records.example/consent');
  });
});
