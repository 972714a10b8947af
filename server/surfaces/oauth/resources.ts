import { ProjectId } from '../../../contract/brands.ts';

/** A protected resource: the MCP endpoint of the default project, or of the one it names. */
export interface Resource {
  /** As tokens name it: RFC 8707 §2. */
  uri: string;
  /** null: the default project. */
  projectId: ProjectId | null;
}

/** The resource that is meant when a client names none. */
export const buildDefaultResource = (baseUrl: string): Resource => ({
  uri: `${baseUrl}/mcp`,
  projectId: null,
});

export const buildProjectResource = (baseUrl: string, projectId: ProjectId): Resource => ({
  uri: `${baseUrl}/projects/${projectId}/mcp`,
  projectId,
});

/** What a client's `resource` parameter names, whatever the case of its host and with or without a last slash; or null. */
export function resolveResource(baseUrl: string, requested: string | undefined): Resource | null {
  if (requested === undefined) return buildDefaultResource(baseUrl);
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
  const uri = `${url.origin}${url.pathname.replace(/\/$/, '')}`;
  const base = new URL(baseUrl);
  const prefix = `${base.origin}${base.pathname.replace(/\/$/, '')}`;
  if (uri === `${prefix}/mcp`) return buildDefaultResource(baseUrl);
  const [, id] = /^\/projects\/([^/]+)\/mcp$/.exec(uri.slice(prefix.length)) ?? [];
  const projectId = uri.startsWith(prefix) ? ProjectId.safeParse(id) : null;
  return projectId?.success ? buildProjectResource(baseUrl, projectId.data) : null;
}
