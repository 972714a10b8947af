import { ProjectId } from '../../../contract/brands.ts';
import { listBaseUrlAliases } from '../../platform/http/base-url.ts';

/** A protected resource: the MCP endpoint of the default project, or of a named one. */
export interface Resource {
  /** The identifier that tokens carry (RFC 8707 §2). */
  uri: string;
  /** null: the default project. */
  projectId: ProjectId | null;
}

/** Builds the resource for clients that name none. */
export const buildDefaultResource = (baseUrl: string): Resource => ({
  uri: `${baseUrl}/mcp`,
  projectId: null,
});

export const buildProjectResource = (baseUrl: string, projectId: ProjectId): Resource => ({
  uri: `${baseUrl}/projects/${projectId}/mcp`,
  projectId,
});

/**
 * Resolves the `resource` parameter, whatever the case of its host, with or without a trailing slash, and under every
 * name of the base URL; null when unknown. The base URL itself is another name of the default endpoint, as `POST /` is: its tokens
 * are for `/mcp` (RFC 8707 §2 lets a server map resources), since the base URL is the audience of tokens of another kind.
 */
export function resolveResource(baseUrl: string, requested: string): Resource | null {
  const uri = normalizeUri(requested);
  if (uri === null) return null;
  for (const alias of listBaseUrlAliases(baseUrl)) {
    const resource = findResource(alias, uri);
    if (resource) return resource;
  }
  return null;
}

function normalizeUri(requested: string): string | null {
  const url = URL.parse(requested);
  if (
    !url ||
    url.hash !== '' ||
    requested.includes('#') ||
    url.search !== '' ||
    url.username !== '' ||
    url.password !== ''
  )
    return null;
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}

function findResource(baseUrl: string, uri: string): Resource | null {
  const base = new URL(baseUrl);
  const prefix = `${base.origin}${base.pathname.replace(/\/$/, '')}`;
  if (uri === prefix || uri === `${prefix}/mcp`) return buildDefaultResource(baseUrl);
  const [, id] = /^\/projects\/([^/]+)\/mcp$/.exec(uri.slice(prefix.length)) ?? [];
  const projectId = uri.startsWith(prefix) ? ProjectId.safeParse(id) : null;
  return projectId?.success ? buildProjectResource(baseUrl, projectId.data) : null;
}
