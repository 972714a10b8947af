import type { z } from 'zod';
import * as contract from '../../../contract/oauth/oauth.ts';
import type { ProjectId } from '../../../contract/brands.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { buildDefaultResource, buildProjectResource, type Resource } from './resources.ts';

interface Deps {
  /** Accepts the URL of a metadata document as a client id. */
  clientMetadataDocuments: boolean;
  projectExists(projectId: ProjectId): Promise<boolean>;
}

/**
 * Registers discovery: RFC 8414 for the authorization server, RFC 9728 for each protected resource; each in the name that
 * the client called.
 */
export function registerMetadataRoutes(
  routes: Routes,
  { clientMetadataDocuments, projectExists }: Deps,
): void {
  serve(
    routes,
    contract.getAuthorizationServerMetadata,
    ({ baseUrl }): z.input<typeof contract.AuthorizationServerMetadata> => ({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      registration_endpoint: `${baseUrl}/oauth/register`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      scopes_supported: [...contract.SCOPES],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: clientMetadataDocuments,
    }),
  );

  const describe = (baseUrl: string, { uri }: Pick<Resource, 'uri'>) => ({
    resource: uri,
    authorization_servers: [baseUrl],
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    // Without offline_access, which concerns the client and the authorization server alone.
    scopes_supported: ['patient/*.read'],
    bearer_methods_supported: ['header' as const],
    resource_name: 'Chartgate',
  });
  // A client compares the resource with the address that it was given (RFC 9728 §3.3).
  serve(routes, contract.getRootResourceMetadata, ({ baseUrl }) => describe(baseUrl, { uri: baseUrl }));
  serve(routes, contract.getMcpResourceMetadata, ({ baseUrl, calledUrl }) =>
    describe(baseUrl, spellAsCalled(buildDefaultResource(baseUrl), calledUrl)),
  );
  serve(
    routes,
    contract.getProjectResourceMetadata,
    async ({ baseUrl, calledUrl, params: { projectId } }) => {
      if (!(await projectExists(projectId))) throw notFound('The project');
      return describe(baseUrl, spellAsCalled(buildProjectResource(baseUrl, projectId), calledUrl));
    },
  );
}

/**
 * Spells a resource as the client did: with a slash at its end, or with the id of its project in upper case. Both serve as the
 * resource does, and a request that names one of them gets a token for it.
 */
function spellAsCalled({ uri, projectId }: Resource, calledUrl: string): Pick<Resource, 'uri'> {
  const [path = ''] = calledUrl.split('?');
  const [, calledId] = /\/projects\/([^/]+)\/mcp\/?$/i.exec(path) ?? [];
  const spelled =
    projectId !== null && calledId?.toLowerCase() === projectId ? uri.replace(projectId, calledId) : uri;
  return { uri: path.endsWith('/') ? `${spelled}/` : spelled };
}
