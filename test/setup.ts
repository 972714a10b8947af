import { readCpuSeconds, recordCpuSeconds } from './harness/cpu-seconds.ts';
import type { TestPostgres } from './harness/postgres.ts';
import { openEmbeddedTemplate, removeUnusedTemplates, startTemplateServer } from './harness/templates.ts';

/** Before all tests, once: a PostgreSQL server and the templates of both engines' stores, migrated. */
let server: TestPostgres | undefined;

export async function globalSetup(): Promise<void> {
  const [started, embedded] = await Promise.all([startTemplateServer(), openEmbeddedTemplate()]);
  server = started;
  process.env['CHARTGATE_TEST_POSTGRES'] = started.url;
  process.env['CHARTGATE_TEST_TEMPLATES'] = embedded;
  removeUnusedTemplates();
}

export async function globalTeardown(): Promise<void> {
  if (server?.pid !== undefined) recordCpuSeconds('PostgreSQL', readCpuSeconds(server.pid));
  await server?.stop();
}
