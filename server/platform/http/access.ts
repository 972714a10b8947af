import type { Caller, MemberSession, OrganizationReach, Session } from '../../../contract/audience.ts';
import { hasPermission } from '../../../contract/roles.ts';
import { takesSession, type EndpointDefinition } from '../../../contract/endpoint.ts';
import { forbidden, Refusal, unauthorized } from '../kernel/refusal.ts';
import type { SessionKind } from './browser-context.ts';

/**
 * Returns the caller whom a bearer token represents; `resourcePath` is null for endpoints that take no OAuth tokens, and
 * `checkedByHandler` true for those that check themselves that it was not revoked. Throws `unauthorized`.
 */
export type Authenticate = (
  token: string,
  resourcePath: string | null,
  checkedByHandler: boolean,
) => Promise<Caller>;

/**
 * Returns the session that the value of the session cookie names; null when it is absent, malformed, unknown or over.
 */
export type ResolveSession = (cookie: string | null, kind: SessionKind) => Promise<Session | null>;

/** Parses the header of RFC 6750 §2.1; the scheme's name is case-insensitive (RFC 9110 §11.1). */
export function parseBearerToken(authorization: string | undefined): string | null {
  const match = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '');
  return match?.[1] ?? null;
}

interface Credentials {
  url: string;
  authorization: string | undefined;
  /** The value of the session cookie, for an endpoint of our own pages. */
  session: string | null;
}

/**
 * Returns the caller, or null when the endpoint's audience needs none; throws when the audience excludes the caller.
 */
export async function authenticateCaller(
  credentials: Credentials,
  endpoint: EndpointDefinition,
  deps: { authenticate: Authenticate; resolveSession: ResolveSession },
): Promise<Caller | Session | null> {
  if (takesSession(endpoint)) return requireSession(credentials, endpoint, deps.resolveSession);
  if (endpoint.audience.includes('anyone')) return null;
  if (credentials.session !== null) return requireMember(credentials.session, endpoint, deps.resolveSession);
  return requireToken(credentials, endpoint, deps.authenticate);
}

async function requireSession(
  credentials: Credentials,
  endpoint: EndpointDefinition,
  resolveSession: ResolveSession,
): Promise<Session | null> {
  const { audience, page } = endpoint;
  const session = await resolveSession(credentials.session, page === 'console' ? 'console' : 'account');
  if (session && audience.includes(session.kind)) {
    if (session.kind === 'member') requireReadiness(session, endpoint);
    return session;
  }
  if (audience.includes('anyone')) return null;
  throw notSignedIn();
}

export const notSignedIn = (): Refusal => new Refusal(401, 'not_signed_in', { detail: 'Sign in first.' });

/** Returns the member whose cookie calls an endpoint of organizations. */
async function requireMember(
  cookie: string,
  endpoint: EndpointDefinition,
  resolveSession: ResolveSession,
): Promise<MemberSession> {
  const session = await resolveSession(cookie, 'console');
  if (session?.kind !== 'member') throw notSignedIn();
  requireAudience(session, endpoint);
  requireReadiness(session, endpoint);
  return session;
}

/** Throws while a member has not chosen password and factor, and where the proof of their presence is too old. */
function requireReadiness(
  { setup, isConfirmed }: MemberSession,
  { permission, needsSetup, presence }: EndpointDefinition,
): void {
  if (setup.length > 0 && (permission !== undefined || needsSetup))
    throw forbidden(`Choose ${setup.map((step) => SETUP[step]).join(' and ')} first.`, 'setup_required');
  if (presence && !isConfirmed) throw forbidden('Confirm once more that it is you.', 'confirmation_required');
}

const SETUP = { password: 'a password of your own', factor: 'a second factor' } as const;

async function requireToken(
  request: Credentials,
  endpoint: EndpointDefinition,
  authenticate: Authenticate,
): Promise<Caller> {
  const token = parseBearerToken(request.authorization);
  if (token === null) throw unauthorized();
  const path = request.url.split('?')[0]?.toLowerCase() ?? '';
  const resourcePath = endpoint.protectedResource ? path : null;
  const caller = await authenticate(token, resourcePath, endpoint.checksToken === true);
  requireAudience(caller, endpoint);
  return caller;
}

/** Throws unless the endpoint is for callers of this kind, and the role of an organization's caller holds its permission. */
function requireAudience(caller: Caller, { audience, permission }: EndpointDefinition): void {
  const kind = caller.kind === 'patient' ? 'patient' : 'organization';
  if (!audience.includes(kind))
    throw forbidden(
      `This endpoint is for ${audience.join(' and ')} tokens; this one is of the kind ${caller.kind}.`,
    );
  if (caller.kind === 'patient') return;
  if (permission === undefined || !hasPermission(caller.role, permission))
    throw forbidden(`The role ${caller.role} does not have the permission ${permission ?? ''}.`);
}

/**
 * Throws unless the organization, the patient and the project that a path names are the caller's. Paths of our own
 * pages name none of these: the session identifies the patient.
 */
export function checkOwnership(
  caller: Caller | Session | null,
  parameters: Readonly<Record<string, string>>,
): void {
  if (caller === null || caller.kind === 'patient-session') return;
  const { orgId, patientId, projectId, studyId } = parameters;
  if (orgId !== undefined && orgId !== caller.organizationId) {
    throw forbidden('The organization in the path is not the one of this token.', 'wrong_organization');
  }
  if (caller.kind !== 'patient') {
    requireWithinProjects(caller, projectId ?? studyId);
    return;
  }
  if (patientId !== undefined && patientId !== caller.patientId) {
    throw forbidden('The patient in the path is not the one of this token.', 'wrong_patient');
  }
  if (projectId !== undefined && projectId !== caller.projectId) {
    throw forbidden('The project in the path is not the one of this token.', 'wrong_project');
  }
}

/** Throws unless a caller who is limited to some projects names one of these. */
function requireWithinProjects(
  { projectIds }: Pick<OrganizationReach, 'projectIds'>,
  projectId: string | undefined,
): void {
  if (projectIds === null || projectId === undefined) return;
  if (!projectIds.some((own) => own === projectId.toLowerCase()))
    throw forbidden('This caller is limited to other projects.', 'wrong_project');
}
