import { z } from 'zod';
import type { TokenCaller } from '../../../contract/audience.ts';
import { ApiKeyRole } from '../../../contract/organization/api-keys.ts';
import { CredentialId, GrantId, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';

const OrganizationClaims = z.object({
  role: ApiKeyRole,
  sub: z.string(),
  organizationId: OrganizationId,
  credentialId: CredentialId,
  /** Absent: all projects. They never change of a key, so they need not be looked up. */
  projectIds: z.array(ProjectId).optional(),
});

const patient = {
  sub: PatientId,
  organizationId: OrganizationId,
  projectId: ProjectId,
  firstName: z.string(),
  lastName: z.string(),
};

const PatientClaims = z.object({
  role: z.literal('patient'),
  ...patient,
  isTestPatient: z.boolean(),
  /** Which password, or which secret of a key, the token was obtained with. */
  credentialId: CredentialId,
});

/** The claims of a token that `POST /v1/auth/token` issued. */
export const Claims = z.discriminatedUnion('role', [OrganizationClaims, PatientClaims]);
export type Claims = z.infer<typeof Claims>;

/** The claims of an OAuth access token (RFC 9068 §2.2). */
export const GrantClaims = z.object({
  ...patient,
  isTestPatient: z.literal(true).optional(),
  scope: z.string(),
  client_id: z.string(),
  jti: z.string(),
  gid: GrantId,
});
export type GrantClaims = z.infer<typeof GrantClaims>;

export function toCaller(claims: Claims, tokenExpiresAt: Date): TokenCaller {
  if (claims.role !== 'patient') {
    const { role: kind, organizationId, sub: subject, credentialId, projectIds = null } = claims;
    return { kind, organizationId, subject, credentialId, role: kind, projectIds };
  }
  const { sub, organizationId, projectId, firstName, lastName, isTestPatient, credentialId } = claims;
  const person = { patientId: sub, organizationId, projectId, firstName, lastName, isTestPatient };
  return { kind: 'patient', ...person, client: 'direct', grantId: null, credentialId, tokenExpiresAt };
}

export function toGrantCaller(claims: GrantClaims, tokenExpiresAt: Date): TokenCaller {
  const { sub, organizationId, projectId, firstName, lastName, isTestPatient = false } = claims;
  const person = { patientId: sub, organizationId, projectId, firstName, lastName, isTestPatient };
  const { client_id: client, gid: grantId } = claims;
  return { kind: 'patient', ...person, client, grantId, credentialId: null, tokenExpiresAt };
}
