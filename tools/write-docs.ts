import fs from 'node:fs';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { buildOpenApiDocument } from '../contract/openapi/openapi.ts';
import { renderAuditPage } from './audit-page.ts';
import { renderConfigurationPage } from './configuration-page.ts';
import { renderStoragePage } from './storage-page.ts';
import { renderWebhooksPage } from './webhooks-page.ts';

/** `npm run docs` writes the pages that come from code; a test fails when they are stale. */
const docs = new URL('../docs/', import.meta.url);
fs.writeFileSync(
  new URL('openapi.json', docs),
  `${JSON.stringify(buildOpenApiDocument(ENDPOINTS), null, 2)}\n`,
);
fs.writeFileSync(new URL('configuration.md', docs), renderConfigurationPage());
fs.writeFileSync(new URL('storage.md', docs), renderStoragePage());
const audit = new URL('audit.md', docs);
fs.writeFileSync(audit, renderAuditPage(fs.readFileSync(audit, 'utf8')));
const webhooks = new URL('webhooks.md', docs);
fs.writeFileSync(webhooks, renderWebhooksPage(fs.readFileSync(webhooks, 'utf8')));
