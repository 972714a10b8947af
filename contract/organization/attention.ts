import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** What may need somebody, each with the page of the console that shows it. */
export const ATTENTION_CODES = [
  'app_unjudged',
  'audit_altered',
  'base_url_insecure',
  'consents_ending',
  'deliveries_exhausted',
  'key_old',
  'key_secret_ending',
  'key_unused',
  'mail_not_configured',
  'objects_not_deleted',
  'secrets_lost',
  'source_ambiguous',
  'source_failing',
  'uploads_failed',
  'webhook_failing',
  'webhook_secret_ending',
  'webhook_suspended',
] as const;

export const AttentionItem = z
  .object({
    code: z.enum(ATTENTION_CODES),
    severity: z.enum(['problem', 'notice']).describe('problem: something does not work now'),
    name: z
      .string()
      .nullable()
      .describe('What it is about, as the organization named it; null: the organization'),
    count: z.int().nullable().describe('Deliveries, patients, uploads or consents; at most 10,000'),
    at: z.iso.datetime().nullable().describe('Since when it is so, or when it will be'),
    target: z.string().describe('The path on the console where it is mended'),
  })
  .meta({ id: 'AttentionItem' });
export type AttentionItem = z.infer<typeof AttentionItem>;

export const listAttention = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/attention',
  name: 'listAttention',
  summary:
    'What needs somebody: failing webhooks and sources, old keys, consents that end. Each caller gets what their role may read, a caller who is limited to projects what concerns these',
  tag: 'Organization',
  audience: ['organization'],
  permission: 'organization.read',
  response: z.object({ results: z.array(AttentionItem) }),
});
