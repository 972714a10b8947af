import type { Caller } from '../../../contract/audience.ts';
import type { EndpointDefinition } from '../../../contract/endpoint.ts';
import { forbidden, unauthorized } from '../kernel/refusal.ts';

/** Turns a bearer token into who is calling at a path that takes OAuth tokens, or null for others; throws `unauthorized`. */
export type Authenticate = (token: string, resourcePath: string | null) => Promise<Caller>;

/** RFC 6750 §2.1; the scheme's name is case-insensitive (RFC 9110 §11.1). */
export function parseBearerToken(authorization: string | undefined): string | null {
  const match = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '');
  return match?.[1] ?? null;
}

export async function authenticateCaller(
  request: { url: string; authorization: string | undefined },
  endpoint: EndpointDefinition,
  authenticate: Authenticate,
): Promise<Caller | null> {
  if (endpoint.audience.includes('anyone')) return null;
  const token = parseBearerToken(request.authorization);
  if (token === null) throw unauthorized();
  const path = request.url.split('?')[0]?.toLowerCase() ?? '';
  const caller = await authenticate(token, endpoint.protectedResource ? path : null);
  if (!endpoint.audience.includes(caller.kind)) {
    throw forbidden(
      `This endpoint is for ${endpoint.audience.join(' and ')} tokens; this is a ${caller.kind} token.`,
    );
  }
  return caller;
}

/** What a path names must be the caller's: their organization, their patient, the project of their token. */
export function checkOwnership(caller: Caller | null, parameters: Readonly<Record<string, string>>): void {
  if (caller === null) return;
  const { orgId, patientId, projectId } = parameters;
  if (orgId !== undefined && orgId !== caller.organizationId) {
    throw forbidden('The organization in the path is not the one of this token.', 'wrong_organization');
  }
  if (caller.kind !== 'patient') return;
  if (patientId !== undefined && patientId !== caller.patientId) {
    throw forbidden('The patient in the path is not the one of this token.', 'wrong_patient');
  }
  if (projectId !== undefined && projectId !== caller.projectId) {
    throw forbidden('The project in the path is not the one of this token.', 'wrong_project');
  }
}
