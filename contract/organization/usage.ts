import { z } from 'zod';
import { CLIENT_FILTER, ClientAppId, ProjectId } from '../brands.ts';
import { DEFAULT_RANGE_DAYS } from '../default-range.ts';
import { defineEndpoint } from '../endpoint.ts';
import { USAGE_KINDS } from './usage-kind.ts';
import { DayOrInstant, FROM_MOMENT, TO_MOMENT } from '../day-or-instant.ts';

const MAX_HOURS = 45 * 24;
const MAX_DAYS = 400;
const HOUR_MS = 3600 * 1000;

export const UsageQuery = z.object({
  from: DayOrInstant.optional().describe(
    `${FROM_MOMENT}. The hour, or the day of that zone, that holds it is the first. Default: ${DEFAULT_RANGE_DAYS} days before \`to\``,
  ),
  to: DayOrInstant.optional().describe(`${TO_MOMENT}. Default: now`),
  bucket: z
    .enum(['hour', 'day', 'total'])
    .default('day')
    .describe('total: the whole range as one, which begins with the hour that holds `from`'),
  by: z
    .enum(['tool', 'client', 'project', 'outcome'])
    .optional()
    .describe('tool: the tool, the endpoint or the type of event. Absent: the kind of use alone'),
  kind: z.enum(USAGE_KINDS).optional(),
  projectId: ProjectId.optional(),
  client: z.string().min(1).max(2048).optional().describe(CLIENT_FILTER),
  appId: ClientAppId.optional().describe('An app of `…/clients`: every client that connected under it'),
});

/** Whether the range of a query is in order and not longer than its buckets permit. */
export const isUsageRange = (
  { from, to }: { from: Date; to: Date },
  bucket: z.infer<typeof UsageQuery>['bucket'],
): boolean => {
  const hours = (to.getTime() - from.getTime()) / HOUR_MS;
  return hours > 0 && hours <= (bucket === 'hour' ? MAX_HOURS : MAX_DAYS * 24);
};

export const getUsage = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/usage',
  name: 'getUsage',
  summary:
    'Tool calls, FHIR reads, uploads by token, mails and webhook deliveries of the organization by hour or day, with refusals, failures and durations. Counts are ten seconds old at most',
  tag: 'Usage',
  audience: ['organization'],
  permission: 'usage.read',
  query: UsageQuery,
  response: z.object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    zone: z.string().describe('The time zone of the days'),
    results: z.array(
      z.object({
        at: z.iso.datetime().describe('The beginning of the hour, the day or the range'),
        kind: z.enum(USAGE_KINDS),
        key: z.string().nullable().describe('Of what `by` names; null: of none, or there is no `by`'),
        count: z.int(),
        refused: z.int().describe('Of these, without a consent or a right'),
        failed: z
          .int()
          .describe(
            'Of these, by a fault of ours or of the request, or broken off before all of the answer was sent',
          ),
        p50Ms: z.int().nullable().describe('Estimated from buckets; null: nothing was measured'),
        p95Ms: z.int().nullable(),
      }),
    ),
    names: z
      .record(z.string(), z.string())
      .describe('What projects and clients of `key` are called; a key that is not there has no name'),
  }),
  refusals: { 400: `The range is longer than ${MAX_HOURS / 24} days by the hour, or ${MAX_DAYS} by the day` },
});
