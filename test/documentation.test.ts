import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ConfigurationError, readConfig } from '../server/config.ts';
import { renderConfigurationPage } from '../tools/configuration-page.ts';
import { renderStoragePage } from '../tools/storage-page.ts';
import { renderWebhooksPage } from '../tools/webhooks-page.ts';

describe('the generated pages', () => {
  const page = (name: string): string => fs.readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

  it('tell every setting as it is (else: npm run docs)', () => {
    assert.equal(page('configuration.md'), renderConfigurationPage());
  });

  it('tell every table as it is (else: npm run docs)', () => {
    assert.equal(page('storage.md'), renderStoragePage());
  });

  it('tell every event and every retry as they are (else: npm run docs)', () => {
    assert.equal(page('webhooks.md'), renderWebhooksPage(page('webhooks.md')));
  });
});

describe('the configuration', () => {
  it('reports all faults together', () => {
    const read = (): unknown =>
      readConfig({ PORT: 'many', DATABASE_URL: 'mysql://x', CHARTGATE_LOG_LEVEL: 'loud' });
    assert.throws(
      read,
      (error: Error) =>
        error instanceof ConfigurationError &&
        ['PORT', 'DATABASE_URL', 'CHARTGATE_LOG_LEVEL'].every((name) => error.message.includes(name)),
    );
  });

  it('reads a value from the file that NAME_FILE names', () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-config-')), 'url');
    fs.writeFileSync(file, 'postgresql://db.example/chartgate\n');
    assert.equal(readConfig({ DATABASE_URL_FILE: file }).db.databaseUrl, 'postgresql://db.example/chartgate');
  });

  it('says when such a file cannot be read', () => {
    assert.throws(() => readConfig({ SMTP_URL_FILE: '/nowhere/at/all' }), /SMTP_URL_FILE/);
  });

  it('takes an empty variable for an absent one, and a base address without its slash', () => {
    const config = readConfig({ DATABASE_URL: '', CHARTGATE_BASE_URL: 'https://records.example/' });
    assert.equal(config.db.databaseUrl, undefined);
    assert.equal(config.http.baseUrl, 'https://records.example');
    assert.equal(config.http.consentAppUrl, 'https://records.example/consent');
  });
});
