import { z } from 'zod';
import { ProjectId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';

/** How much rests on a project. */
export const ProjectFigures = z
  .object({
    projectId: ProjectId,
    patients: z.int().describe('Who takes part'),
    consentsInForce: z.int(),
    consentsByVersion: z
      .array(
        z.object({
          version: z.int().nullable().describe('null: given when the project had no words yet'),
          consents: z.int(),
        }),
      )
      .describe('Those in force, by the version of the words that they were given for, newest first'),
    sources: z.int().describe('Active FHIR servers that are asked for its patients'),
    webhooks: z.int().describe('Active webhooks that are sent its events'),
  })
  .meta({ id: 'ProjectFigures' });
export type ProjectFigures = z.infer<typeof ProjectFigures>;

export const getProjectFigures = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/projects/figures',
  name: 'getProjectFigures',
  summary:
    'How much rests on each project that the caller may see: patients, consents in force by the version of the words, sources, webhooks',
  tag: 'Projects',
  audience: ['organization'],
  permission: 'projects.read',
  query: z.object({ projectId: ProjectId.optional().describe('This project alone') }),
  response: z.object({ results: z.array(ProjectFigures) }),
});
