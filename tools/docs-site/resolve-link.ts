import path from 'node:path';

/** Pages by the file they are made from. */
export type PagesBySource = ReadonlyMap<string, string>;

/** Files that have another address than a page of `/docs`. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['docs/openapi.json', '/docs/api/'],
  ['README.md', '/docs/'],
  ['docs/decisions', '/docs/decisions/0001-one-dialect-two-engines'],
]);

/**
 * Resolves a link of a Markdown file to an address of the service; null for a file that is only in the repository, such
 * as a test, whose name is then shown without a link.
 */
export function resolveLink(href: string, source: string, pages: PagesBySource): string | null {
  if (/^https?:\/\//.test(href) || href.startsWith('#')) return href;
  if (/^[a-z][a-z\d+.-]*:/i.test(href)) return null;
  const [target = '', hash] = href.split('#');
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(source), target)).replace(/\/$/, '');
  const page = pages.get(file);
  const address = page === undefined ? OTHERS.get(file) : `/docs/${page}`;
  if (address === undefined) return null;
  return hash === undefined ? address : `${address}#${hash}`;
}
