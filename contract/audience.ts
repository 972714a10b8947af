import type {
  CredentialId,
  GrantId,
  MemberId,
  OrganizationId,
  PatientId,
  ProjectId,
  SessionId,
} from './brands.ts';
import type { Role } from './roles.ts';

/**
 * Whom an access token stands for. `organization`: an API key, whose role must hold the endpoint's permission, or on `/v1` a
 * member of the organization who is signed in on its console.
 */
export type TokenAudience = 'organization' | 'patient';

/** Whom the session cookie of one of our own pages stands for: a patient, or a member of an organization. */
export type SessionAudience = 'patient-session' | 'member';

/**
 * Who may call an endpoint. `anyone` needs neither token nor session; beside a session, `anyone` says that the endpoint
 * works for browsers in which nobody is signed in too. An endpoint takes tokens or sessions, never both.
 */
export type Audience = 'anyone' | TokenAudience | SessionAudience;

/** An API key's token: it speaks for its organization. */
export interface KeyCaller {
  kind: 'admin' | 'researcher' | 'developer';
  organizationId: OrganizationId;
  /** The API key's public half. */
  subject: string;
  /** The secret of the key that the token was obtained with. */
  credentialId: CredentialId;
  role: Role;
  /** The projects that it is limited to; null: all of the organization, those that are created later too. */
  projectIds: readonly ProjectId[] | null;
}

/** Who calls for an organization: a program with a key, or on `/v1` a member who is signed in on its console. */
export type OrganizationCaller = KeyCaller | MemberSession;

/** What of its organization a caller may see. */
export interface OrganizationReach {
  organizationId: OrganizationId;
  /** null: every project. */
  projectIds: readonly ProjectId[] | null;
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
  /** The password that a token of `POST /v1/auth/token` was obtained with. */
  credentialId: CredentialId | null;
  tokenExpiresAt: Date;
}

/** The bearer of an access token. */
export type TokenCaller = KeyCaller | PatientCaller;

/** Who calls an endpoint of organizations and patients. */
export type Caller = OrganizationCaller | PatientCaller;

/** A patient who is signed in on our own pages. */
export interface PatientSession {
  kind: 'patient-session';
  patientId: PatientId;
  /** The organization a test patient belongs to. */
  testOrganizationId: OrganizationId | null;
  person: { id: PatientId; firstName: string; lastName: string; email: string; isTestPatient: boolean };
  signedInAt: Date;
  /** When this request came, by the later of the node's and the store's clock. */
  seenAt: Date;
}

/** What a member must choose before anything else is open to them. */
export type SetupStep = 'password' | 'factor';

/** A member of an organization who is signed in on its console. */
export interface MemberSession {
  kind: 'member';
  subject: MemberId;
  organizationId: OrganizationId;
  organizationName: string;
  /** The zone of the organization's days, of the IANA database. */
  timeZone: string;
  role: Role;
  projectIds: readonly ProjectId[] | null;
  sessionId: SessionId;
  /** The password that the session was begun with. */
  credentialId: CredentialId;
  email: string;
  name: string;
  /** They sign in at the organization's identity provider. */
  isJoined: boolean;
  /** Empty: nothing. */
  setup: readonly SetupStep[];
  /** They proved within some minutes to be present. */
  isConfirmed: boolean;
}

export type Session = PatientSession | MemberSession;
