import type { GrantId, OrganizationId, PatientId, ProjectId } from './brands.ts';

/** Who may call an endpoint. `anyone` needs no token; the others are told by the token's claims. */
export type Audience = 'anyone' | 'admin' | 'researcher' | 'patient';

/** An API key's token: it speaks for its organization. */
export interface OrganizationCaller {
  kind: 'admin' | 'researcher';
  organizationId: OrganizationId;
  /** The API key's public half. */
  subject: string;
}

/** A patient's token: it speaks for one patient in one project. */
export interface PatientCaller {
  kind: 'patient';
  patientId: PatientId;
  projectId: ProjectId;
  organizationId: OrganizationId;
  firstName: string;
  lastName: string;
  isTestPatient: boolean;
  /** The program that holds the token: an OAuth client id, or `direct` for a token of `POST /v1/auth/token`. */
  client: string;
  /** The grant of an OAuth token. */
  grantId: GrantId | null;
}

export type Caller = OrganizationCaller | PatientCaller;
