import { z } from 'zod';
import { OrganizationId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Contact, PlainName } from './projects.ts';

const Language = z.enum(['en', 'es']);

/** How an organization presents itself to people. */
export const Organization = z
  .object({
    id: OrganizationId,
    name: z.string().describe('The name that it was created with'),
    displayName: z
      .string()
      .nullable()
      .describe('The name that people read on pages and in mails; null: `name`'),
    contact: Contact.nullable().describe('Who answers questions of the people it invites'),
    publicName: z
      .string()
      .nullable()
      .describe(
        'What it invites to, in the subjects of its mails, which anybody may see over a shoulder; null: no subject names a project',
      ),
    languages: z
      .array(Language)
      .describe('The languages it writes in; mails to a person of unknown language are in the first'),
  })
  .meta({ id: 'Organization' });

const tag = 'Organization';

export const getOrganization = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}',
  name: 'getOrganization',
  summary: 'The organization, as it presents itself to people',
  tag,
  audience: ['organization'],
  permission: 'organization.read',
  response: Organization,
});

export const OrganizationChange = z
  .object({
    displayName: PlainName.nullable(),
    contact: Contact.nullable(),
    publicName: PlainName.nullable(),
    languages: z
      .array(Language)
      .min(1)
      .max(2)
      .refine((languages) => new Set(languages).size === languages.length, 'must name each once'),
  })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'must change something');
export type OrganizationChange = z.infer<typeof OrganizationChange>;

export const updateOrganization = defineEndpoint({
  method: 'PATCH',
  path: '/v1/organizations/{orgId}',
  name: 'updateOrganization',
  summary: 'Changes how the organization presents itself to people; null takes a value back',
  tag,
  audience: ['organization'],
  permission: 'organization.write',
  body: OrganizationChange,
  response: Organization,
});
