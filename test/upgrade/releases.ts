import path from 'node:path';

/** A schema that operators may have: the program that made a store of it, and where that store is. */
export interface Release {
  /** The number of its newest migration. */
  schema: string;
  /** The last commit with this schema. */
  commit: string;
  /** What came with it, in a few words of the changelog; the version, once there are versions. */
  brought: string;
}

/**
 * What counts as released: until the first tag, the schemas at the ends of the landings that the changelog names; then those of
 * each version. CONTRIBUTING.md says how one is added.
 */
export const RELEASES: readonly Release[] = [
  { schema: '0008', commit: 'ded74503', brought: 'the main job' },
  { schema: '0010', commit: 'c9458faa', brought: 'the authorization server, accounts' },
  { schema: '0015', commit: '8088684e', brought: 'evidence, what a consent leaves out, the audit chain' },
  { schema: '0020', commit: 'd6bcb8b7', brought: 'whole records, documents, connected servers' },
  { schema: '0021', commit: 'd4cd6317', brought: 'webhooks' },
  { schema: '0022', commit: '9fcfff6f', brought: "tables in the field's words" },
  { schema: '0035', commit: '23085f03', brought: 'other kinds, quotas, sealed cursors, credentials' },
  { schema: '0040', commit: '09b41ca8', brought: 'clinical dates, functions of the database' },
  { schema: '0048', commit: '11d3b93f', brought: 'concepts, studies, notices, sessions' },
  { schema: '0057', commit: '7b799db7', brought: 'API keys, members, narrower grants, drafts, backup' },
  { schema: '0069', commit: 'a3bd68fe', brought: 'what the console lists, kept answers' },
  { schema: '0075', commit: '9ea701fb', brought: 'passkeys of members, an identity provider' },
];

export const STORES = path.join(import.meta.dirname, 'stores');

/** The backup of a store as the program of then left it. */
export const getBackupFile = ({ schema }: Pick<Release, 'schema'>): string =>
  path.join(STORES, `${schema}.zip`);

/** What people, apps and operators of that store knew. */
export const getKnownFile = ({ schema }: Pick<Release, 'schema'>): string =>
  path.join(STORES, `${schema}.json`);
