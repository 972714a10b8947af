import fs from 'node:fs';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { openApiDocument } from '../contract/openapi.ts';
import { configurationPage } from './configuration-page.ts';
import { storagePage } from './storage-page.ts';
import { webhooksPage } from './webhooks-page.ts';

/** `npm run docs`: the pages that are written from code; a test complains when they are stale. */
const docs = new URL('../docs/', import.meta.url);
fs.writeFileSync(new URL('openapi.json', docs), `${JSON.stringify(openApiDocument(ENDPOINTS), null, 2)}\n`);
fs.writeFileSync(new URL('configuration.md', docs), configurationPage());
fs.writeFileSync(new URL('storage.md', docs), storagePage());
const webhooks = new URL('webhooks.md', docs);
fs.writeFileSync(webhooks, webhooksPage(fs.readFileSync(webhooks, 'utf8')));
