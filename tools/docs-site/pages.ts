import { listSources } from './read-source.ts';

export interface PageGroup {
  title: string;
  pages: readonly SitePage[];
}

export interface SitePage {
  /** The file it is made from, relative to the repository. */
  source: string;
  /** Its address below `/docs/`. */
  path: string;
  /** What it is about, for the list of all pages, where its first sentence does not say so; empty: nothing. */
  about?: string;
}

/** What guides are about whose first sentence does not say so. */
const ABOUT: Readonly<Record<string, string>> = {
  oauth: 'Discovery, registration, tokens, and what a refusal means.',
  search: 'How the tool `search` finds and orders its answers, without a model.',
  fhir: 'Whole records for partner systems: paging, streaming, what is new.',
  webhooks:
    'Signed events of consents and records: receiving, verifying, what happens when you do not answer.',
  consent: 'What is decided, kept as evidence, enforced and announced.',
  words: 'Where the words that patients read are, and how they are written.',
  audit: 'What the verification of the log proves, and what it cannot.',
  install: 'From a clone, from a release, in containers, in Kubernetes.',
  configuration: 'Every setting.',
  operations: 'Health, metrics, backup, key rotation, what to watch.',
  storage: 'Every table.',
  security: 'What protects a record, and what does not.',
};

const guide = (name: string): SitePage => ({
  source: `docs/${name}.md`,
  path: name,
  ...(ABOUT[name] !== undefined && { about: ABOUT[name] }),
});

/** The guides in the order they are read in. A guide that is named nowhere comes last. */
const GROUPS: readonly PageGroup[] = [
  {
    title: 'Start here',
    pages: ['start/patients-organizations', 'start/agent-builders', 'start/partners', 'start/operators'].map(
      guide,
    ),
  },
  { title: 'Agents', pages: ['agents', 'oauth', 'records', 'search', 'record-linkage'].map(guide) },
  { title: 'Partner systems', pages: ['fhir', 'sources', 'webhooks'].map(guide) },
  { title: 'Consent', pages: ['consent', 'words', 'audit'].map(guide) },
  {
    title: 'Running it',
    pages: ['install', 'configuration', 'operations', 'observability', 'scaling', 'storage', 'security'].map(
      guide,
    ),
  },
];

const PROJECT: readonly SitePage[] = [
  { source: 'SECURITY.md', path: 'project/security-policy', about: 'How to report a vulnerability.' },
  { source: 'ARCHITECTURE.md', path: 'project/architecture', about: 'How the code is laid out.' },
  {
    source: 'CONTRIBUTING.md',
    path: 'project/contributing',
    about: 'How to add an endpoint, a tool, a screen.',
  },
  { source: 'CHANGELOG.md', path: 'project/changelog', about: 'What changed, and what an operator must do.' },
];

/** Lists every page that is made of Markdown, by group. */
export function listPageGroups(): PageGroup[] {
  const decisions = listSources('docs/decisions/*.md').map((source) => ({
    source,
    path: source.replace(/^docs\/|\.md$/g, ''),
    about: '',
  }));
  const grouped = new Set(GROUPS.flatMap(({ pages }) => pages.map(({ source }) => source)));
  const others = listSources('docs/*.md').filter((source) => !grouped.has(source));
  return [
    ...GROUPS,
    ...(others.length > 0
      ? [{ title: 'More', pages: others.map((source) => guide(source.slice(5, -3))) }]
      : []),
    { title: 'The project', pages: PROJECT },
    { title: 'Decisions', pages: decisions },
  ];
}

const FOLDERS = ['deploy/kubernetes', 'deploy/prometheus', 'deploy/grafana'];

/** Files that guides link to and that are shown as they are; no address has a dot, which would be an ending of a file. */
export const listShownFiles = (): SitePage[] =>
  listSources('compose.yaml', 'Dockerfile', 'deploy/*', 'deploy/*/*')
    .filter((source) => !FOLDERS.includes(source))
    .map((source) => ({ source, path: `files/${source.replaceAll('.', '-')}` }));
