import { InvalidArgumentError, type Command } from 'commander';
import type { z } from 'zod';
import { Email } from '../../contract/brands.ts';
import { PlainName, LocalizedProjectContent } from '../../contract/organization/projects.ts';
import { describeIssue } from '../../server/platform/http/describe-issue.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import {
  createOrganization,
  type CreatedOrganization,
} from '../../server/identity/members/create-organization.ts';
import {
  describeOrganization,
  type DescribedOrganization,
} from '../../server/identity/members/describe-organization.ts';
import { describeSchemaChange } from '../../server/platform/db/schema-state.ts';
import { printResult, withMigratedDb } from '../with-db.ts';

interface Options {
  organization: string;
  project: string;
  purpose?: string;
  adminEmail?: string;
  json?: boolean;
}

/** `chartgate init` creates an organization, its first project, its keys and its console login; idempotent by name. */
export function configureInitCommand(command: Command): void {
  command
    .requiredOption(
      '--organization <name>',
      'name of the organization, which patients are shown',
      createParser(PlainName),
    )
    .requiredOption(
      '--project <name>',
      'name of its first project',
      createParser(LocalizedProjectContent.shape.title),
    )
    .option(
      '--purpose <text>',
      'what the project is for, in words that its patients are shown',
      createParser(LocalizedProjectContent.shape.purpose),
    )
    .option(
      '--admin-email <email>',
      'e-mail of the console login (default: admin@NAME-OF-THE-ORGANIZATION.invalid)',
      createParser(Email),
    )
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const adminEmail = options.adminEmail ?? `admin@${slugify(options.organization)}.invalid`;
      const { organization: name, project, purpose = null } = options;
      const { created, existing, baseUrl } = await withMigratedDb(async (db, { http }, schema) => {
        if (!schema.isNew && schema.applied.length > 0)
          process.stderr.write(
            `chartgate: the schema was brought up to date: ${describeSchemaChange(schema)}\n`,
          );
        const deps = { db, clock: systemClock };
        const created = await createOrganization(deps, { name, project, purpose, adminEmail });
        const existing = created === null ? await describeOrganization(deps, { name, project }) : null;
        return { created, existing, baseUrl: http.baseUrl };
      });
      if (created) {
        const mcpUrl = buildMcpUrl(baseUrl, created);
        printResult(options, { ...created, mcpUrl }, formatCreated(options, created, baseUrl));
      } else {
        const mcpUrl = existing?.projectId ? buildMcpUrl(baseUrl, existing) : null;
        printResult(options, { created: false, organization: name, ...existing, mcpUrl }, [
          `The organization "${name}" exists already; nothing was created.`,
        ]);
      }
    });
}

/** Checks an option as the contract checks the same text in a request. */
const createParser =
  (type: z.ZodType<string>) =>
  (text: string): string => {
    const result = type.safeParse(text, { error: describeIssue });
    if (result.success) return result.data;
    throw new InvalidArgumentError(result.error.issues.map(({ message }) => message).join('; '));
  };

const slugify = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'organization';

const buildMcpUrl = (baseUrl: string, { projectId }: Pick<DescribedOrganization, 'projectId'>): string =>
  `${baseUrl}/projects/${projectId}/mcp`;

const formatCreated = (options: Options, created: CreatedOrganization, baseUrl: string): string[] => [
  `Organization ${options.organization}: ${created.organizationId}`,
  `Project ${options.project}: ${created.projectId}`,
  '',
  'These secrets are shown once:',
  `  admin key       ${created.admin.apiKey}  ${created.admin.apiSecret}`,
  `  researcher key  ${created.researcher.apiKey}  ${created.researcher.apiSecret}`,
  `  console login   ${created.console.email}  ${created.console.password}`,
  `                  at ${baseUrl}/console, while the service runs`,
  '                  (its first sign-in chooses another password and a second factor)',
  '',
  "Agents connect to the project's own MCP endpoint while the service runs:",
  `  claude mcp add --transport http chartgate ${buildMcpUrl(baseUrl, created)}`,
];
