import { z } from 'zod';
import { MAX_EMAIL_LENGTH, MAX_PHONE_LENGTH, MAX_PLAIN_NAME_LENGTH } from '../text-limits.ts';
import { ConsentType } from '../account/consent.ts';
import { ResourceScope } from '../data-categories.ts';
import { defineEndpoint } from '../endpoint.ts';
import { OrganizationId, ProjectId } from '../brands.ts';
import { PageQuery } from '../page-query.ts';

/** Characters that reorder or cover the text around them: direction marks, control characters, stacked combining marks. */
const UNSAFE_CHARACTERS = /[^\P{Cc}\t\r\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{M}{4,}/u;

const boundedText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine(
      (text) => !UNSAFE_CHARACTERS.test(text),
      'must hold no control or direction-changing characters, and no stacked combining marks',
    );

/** Stands in a line: of a mail's headers too. */
const lineOfText = (maxLength: number) =>
  boundedText(maxLength).refine((text) => !/[\r\n\u2028\u2029]/.test(text), 'must be one line');

/** Whoever asks does not learn which projects there are elsewhere. */
export const projectRefusals = {
  403: 'wrong_project: there is no such project, or it is not of the organization, or not one that the caller is limited to',
} as const;

/** The name of an organization or a project; patients see the former. */
export const PlainName = lineOfText(MAX_PLAIN_NAME_LENGTH);

/** Who answers people's questions. */
export const Contact = z
  .object({
    name: lineOfText(MAX_PLAIN_NAME_LENGTH).nullable().default(null),
    email: z.email().max(MAX_EMAIL_LENGTH).nullable().default(null),
    phone: lineOfText(MAX_PHONE_LENGTH).nullable().default(null),
  })
  .meta({ id: 'Contact' });
export type Contact = z.infer<typeof Contact>;

/** They stand beside the check boxes of the review, eighteen of them on a phone. */
const MAX_CATEGORY_PURPOSE_LENGTH = 300;

/** A project's content in one language. */
export const LocalizedProjectContent = z
  .object({
    title: lineOfText(200),
    purpose: boundedText(4000),
    benefits: boundedText(4000).nullable().default(null),
    risks: boundedText(4000).nullable().default(null),
    // Absent where nothing is said: an older version and the same words sent again must not differ.
    categoryPurposes: z
      .partialRecord(ResourceScope, boundedText(MAX_CATEGORY_PURPOSE_LENGTH))
      .refine((purposes) => Object.keys(purposes).length > 0, 'must name a category, or be left out')
      .optional()
      .describe('What needs each category, shown beside it on the consent page'),
  })
  .meta({ id: 'LocalizedProjectContent' });
export type LocalizedProjectContent = z.infer<typeof LocalizedProjectContent>;

/** What patients read about a project before they decide; each version has a `studySnapshotId`. */
export const ProjectContent = z
  .object({
    en: LocalizedProjectContent.optional(),
    es: LocalizedProjectContent.optional(),
    contact: Contact.nullable().default(null),
  })
  .refine(({ en, es }) => en !== undefined || es !== undefined, 'must hold en or es')
  .meta({ id: 'ProjectContent' });
export type ProjectContent = z.infer<typeof ProjectContent>;

/** A consent that a project asks for. */
export const ProjectConsentType = z
  .object({
    type: ConsentType,
    content: ProjectContent.nullable()
      .default(null)
      .describe('Its own words for patients; null: those of the project'),
  })
  .meta({ id: 'ProjectConsentType' });
export type ProjectConsentType = z.infer<typeof ProjectConsentType>;

const ConsentTypes = z
  .array(ProjectConsentType)
  .max(ConsentType.options.length)
  .refine(
    (asked) => new Set(asked.map(({ type }) => type)).size === asked.length,
    'must name each type once',
  );

const onlyVouchedApps = z
  .boolean()
  .describe(
    'Apps that the organization does not vouch for may not ask for consent; those that are connected stay',
  );

export const Project = z
  .object({
    id: ProjectId,
    organizationId: OrganizationId,
    name: z.string().describe('The name for the organization; patients see the title'),
    createdAt: z.iso.datetime(),
    version: z.int().nullable().describe('null: it has no content for patients yet'),
    studySnapshotId: z.string().nullable(),
    content: ProjectContent.nullable(),
    consentTypes: z
      .array(ProjectConsentType)
      .describe('The consents that it asks the invited for, in this order, without an app'),
    onlyVouchedApps,
  })
  .meta({ id: 'Project' });

const tag = 'Projects';

export const listProjects = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/projects',
  name: 'listProjects',
  summary: 'The projects of the organization, oldest first',
  tag,
  audience: ['organization'],
  permission: 'projects.read',
  query: PageQuery,
  response: z.object({ total: z.int(), results: z.array(Project) }),
});

export const createProject = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/{orgId}/projects',
  name: 'createProject',
  summary: 'Creates a project, with the first version of its content for patients',
  tag,
  audience: ['organization'],
  permission: 'projects.write',
  closedBody: true,
  body: z.object({
    name: PlainName,
    content: ProjectContent.optional(),
    consentTypes: ConsentTypes.optional(),
  }),
  status: 201,
  response: Project,
});

export const getProject = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/projects/{projectId}',
  name: 'getProject',
  summary: 'One project, with its current content for patients',
  tag,
  audience: ['organization'],
  permission: 'projects.read',
  response: Project,
  refusals: projectRefusals,
});

export const updateProject = defineEndpoint({
  method: 'PATCH',
  path: '/v1/organizations/{orgId}/projects/{projectId}',
  name: 'updateProject',
  summary:
    'Renames a project, says which apps may ask, or changes its words for patients or the consents that it asks for: those are a new version, earlier consents stay with theirs, and people who gave them are asked again',
  tag,
  audience: ['organization'],
  permission: 'projects.write',
  closedBody: true,
  presence: true,
  body: z
    .object({
      name: PlainName.optional(),
      content: ProjectContent.optional(),
      consentTypes: ConsentTypes.optional(),
      onlyVouchedApps: onlyVouchedApps.optional(),
      basedOnVersion: z
        .int()
        .nullable()
        .optional()
        .describe(
          'The `version` of the project that the change was made to: it is refused where another is in force; null: the project had none. Absent: the change is made to whichever is in force',
        ),
    })
    .refine(
      ({ basedOnVersion: _, ...change }) => Object.values(change).some((value) => value !== undefined),
      'must change something',
    ),
  response: Project,
  refusals: {
    ...projectRefusals,
    409: 'content_changed: another version than `basedOnVersion` is in force. Nothing was changed',
  },
});

export const listProjectVersions = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/projects/{projectId}/versions',
  name: 'listProjectVersions',
  summary:
    'The versions of the content for patients, newest first; consent records refer to one by its studySnapshotId',
  tag,
  audience: ['organization'],
  permission: 'projects.read',
  query: PageQuery,
  response: z.object({
    total: z.int(),
    results: z.array(
      z.object({
        version: z.int(),
        studySnapshotId: z.string(),
        createdAt: z.iso.datetime(),
        content: ProjectContent.nullable(),
        consentTypes: z.array(ProjectConsentType),
      }),
    ),
  }),
  refusals: projectRefusals,
});
