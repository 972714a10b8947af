import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDb } from '../server/platform/db/open.ts';
import { startPostgres, type TestPostgres } from './harness/postgres.ts';

/** Before all tests, once: a PostgreSQL server and a template of each engine's store, both migrated. */
let server: TestPostgres | undefined;
let templates: string | undefined;

export async function globalSetup(): Promise<void> {
  server = await startPostgres();
  templates = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-templates-'));
  const onFatal = (error: Error): void => {
    throw error;
  };
  const template = new URL(server.url);
  const { default: pg } = await import('pg');
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query('create database template_store');
  await admin.end();
  template.pathname = '/template_store';
  const postgres = await openDb({ databaseUrl: template.href, dataDirectory: templates, onFatal });
  await postgres.close();
  const embedded = await openDb({ databaseUrl: undefined, dataDirectory: templates, onFatal });
  await embedded.close();
  process.env['CHARTGATE_TEST_POSTGRES'] = server.url;
  process.env['CHARTGATE_TEST_TEMPLATES'] = templates;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  if (templates) fs.rmSync(templates, { recursive: true, force: true });
}
