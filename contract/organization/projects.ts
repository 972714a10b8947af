import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { OrganizationId, ProjectId } from '../brands.ts';
import { PageQuery } from '../page-query.ts';

/** What turns or covers the text around it: direction marks, control characters, letters under a heap of marks. */
const UNSAFE_CHARACTERS = /[^\P{Cc}\t\r\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{M}{4,}/u;

const boundedText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine(
      (text) => !UNSAFE_CHARACTERS.test(text),
      'must hold no control or direction-changing characters, and no heaps of combining marks',
    );

/** Of an organization or a project; patients are shown the former. */
export const PlainName = boundedText(200);

/** What patients are told, in one language. */
export const ProjectWords = z
  .object({
    title: boundedText(200),
    purpose: boundedText(4000),
    benefits: boundedText(4000).nullable().default(null),
    risks: boundedText(4000).nullable().default(null),
  })
  .meta({ id: 'ProjectWords' });
export type ProjectWords = z.infer<typeof ProjectWords>;

/** What patients are told about a project before they decide: one version of it is one `studySnapshotId`. */
export const ProjectContent = z
  .object({
    en: ProjectWords.optional(),
    es: ProjectWords.optional(),
    contact: z
      .object({
        name: boundedText(200).nullable().default(null),
        email: z.email().max(254).nullable().default(null),
        phone: boundedText(50).nullable().default(null),
      })
      .nullable()
      .default(null),
  })
  .refine(({ en, es }) => en !== undefined || es !== undefined, 'must hold en or es')
  .meta({ id: 'ProjectContent' });
export type ProjectContent = z.infer<typeof ProjectContent>;

export const Project = z
  .object({
    id: ProjectId,
    organizationId: OrganizationId,
    name: z.string().describe('For the organization; patients are told the title'),
    createdAt: z.iso.datetime(),
    version: z.int().nullable().describe('null: it has no words for patients yet'),
    studySnapshotId: z.string().nullable(),
    content: ProjectContent.nullable(),
  })
  .meta({ id: 'Project' });

const tag = 'Projects';

export const listProjects = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/projects',
  name: 'listProjects',
  summary: 'The projects of the organization, oldest first',
  tag,
  audience: ['admin', 'researcher'],
  query: PageQuery,
  response: z.object({ total: z.int(), results: z.array(Project) }),
});

export const createProject = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/{orgId}/projects',
  name: 'createProject',
  summary: 'Creates a project, with the first version of what patients are told about it',
  tag,
  audience: ['admin'],
  body: z.object({ name: PlainName, content: ProjectContent.optional() }),
  status: 201,
  response: Project,
});

export const getProject = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/projects/{projectId}',
  name: 'getProject',
  summary: 'One project, with what patients are told now',
  tag,
  audience: ['admin', 'researcher'],
  response: Project,
  refusals: { 403: 'The project is of another organization', 404: 'There is no such project' },
});

export const updateProject = defineEndpoint({
  method: 'PATCH',
  path: '/v1/organizations/{orgId}/projects/{projectId}',
  name: 'updateProject',
  summary:
    'Renames a project, or tells patients something else: changed content is a new version, consents given to the last one stay with that',
  tag,
  audience: ['admin'],
  body: z
    .object({ name: PlainName.optional(), content: ProjectContent.optional() })
    .refine(({ name, content }) => name !== undefined || content !== undefined, 'must change something'),
  response: Project,
  refusals: { 403: 'The project is of another organization', 404: 'There is no such project' },
});

export const listProjectVersions = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/projects/{projectId}/versions',
  name: 'listProjectVersions',
  summary: 'What patients were told, newest first; consent records name one by its studySnapshotId',
  tag,
  audience: ['admin', 'researcher'],
  query: PageQuery,
  response: z.object({
    total: z.int(),
    results: z.array(
      z.object({
        version: z.int(),
        studySnapshotId: z.string(),
        createdAt: z.iso.datetime(),
        content: ProjectContent,
      }),
    ),
  }),
  refusals: { 403: 'The project is of another organization', 404: 'There is no such project' },
});
