import { z } from 'zod';
import { OrganizationId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Brand } from './brand.ts';
import { Contact, PlainName } from './projects.ts';

const Language = z.enum(['en', 'es']);

/** The most addresses that are mailed when something fails. */
const MAX_FAULT_ADDRESSES = 20;

const noNewRegistrations = z
  .boolean()
  .describe(
    'Clients that the organization does not know yet may not ask for consent, and register only where another organization of the service lets them; those that are known go on',
  );

const faultAddresses = z
  .array(z.email().max(254))
  .min(1)
  .max(MAX_FAULT_ADDRESSES)
  .nullable()
  .describe('Who is mailed when something fails, such as a webhook; null: every member of the console');

const onlyVouchedApps = z
  .boolean()
  .describe(
    'In every project, apps that the organization does not vouch for may not ask for consent; those that are connected stay',
  );

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
    timeZone: z
      .string()
      .describe(
        'A name of the IANA database: the days that are counted in charts and statistics are its days',
      ),
    onlyVouchedApps,
    noNewRegistrations,
    faultAddresses,
    accentColor: z.string().nullable().describe('The colour that it chose, #rrggbb; null: none'),
    brand: Brand.nullable().describe(
      'How patients recognize it where it speaks to them; null: it has chosen nothing',
    ),
    owners: z.array(z.string()).describe('What the members who own it are called: whom to ask for a right'),
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

function isKnownZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

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
    timeZone: z
      .string()
      .max(64)
      // Never an offset: the store reads its sign the other way round.
      .regex(/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/, 'must be a name of the IANA database such as America/New_York')
      .refine(isKnownZone, 'must be a name of the IANA database such as America/New_York'),
    onlyVouchedApps,
    noNewRegistrations,
    faultAddresses,
    accentColor: z
      .string()
      .regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #0b5d4b, in small letters')
      .nullable()
      .describe('Any: what patients see is made dark or light enough to be read'),
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
  presence: true,
  body: OrganizationChange,
  response: Organization,
});

/** The picture of an organization, in bytes and pixels. It is drawn at 32 by 32, on fine screens at three times that. */
export const MARK_LIMITS = { bytes: 64 * 1024, side: 512, minSide: 16 } as const;

export const setOrganizationMark = defineEndpoint({
  method: 'PUT',
  path: '/v1/organizations/{orgId}/mark',
  name: 'setOrganizationMark',
  summary: 'Sets the picture by which patients recognize the organization',
  tag,
  audience: ['organization'],
  permission: 'organization.write',
  presence: true,
  body: z.object({
    image: z
      .base64()
      .max(Math.ceil(MARK_LIMITS.bytes / 3) * 4)
      .describe(
        `A PNG of ${MARK_LIMITS.minSide} to ${MARK_LIMITS.side} pixels a side and at most ${MARK_LIMITS.bytes / 1024} KiB, in base64. What it says besides the image, such as where it was taken, is not kept`,
      ),
  }),
  response: Organization,
});

export const deleteOrganizationMark = defineEndpoint({
  method: 'DELETE',
  path: '/v1/organizations/{orgId}/mark',
  name: 'deleteOrganizationMark',
  summary: 'Takes the picture back',
  tag,
  audience: ['organization'],
  permission: 'organization.write',
  presence: true,
  response: Organization,
});

export const getMark = defineEndpoint({
  method: 'GET',
  path: '/account/marks/{markHash}',
  name: 'getMark',
  summary: 'The picture of an organization, for the pages of its patients. Its address names its bytes',
  tag: 'Consent page',
  audience: ['anyone'],
  produces: 'image/png',
  response: z.string().meta({ format: 'binary' }),
  refusals: { 404: 'No organization has this picture now' },
});
