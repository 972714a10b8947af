import { z } from 'zod';
import { MAX_EMAIL_LENGTH, MAX_GIVEN_EMAIL_LENGTH } from './text-limits.ts';

/** UUIDs of every version, lower case: what the database compares. */
const uuid = z
  .string()
  .regex(/^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/, 'must be a UUID')
  .toLowerCase()
  .meta({ format: 'uuid' });

export const OrganizationId = uuid.brand<'OrganizationId'>();
export type OrganizationId = z.infer<typeof OrganizationId>;

/** A project is a study: `studyId` and `projectId` are the same value. */
export const ProjectId = uuid.brand<'ProjectId'>();
export type ProjectId = z.infer<typeof ProjectId>;

/** A person who signs in to an organization's console. */
export const MemberId = uuid.brand<'MemberId'>();
export type MemberId = z.infer<typeof MemberId>;

export const InvitationId = uuid.brand<'InvitationId'>();
export type InvitationId = z.infer<typeof InvitationId>;

/** An e-mail address in the form in which addresses are compared: lower case. As people write it, it is a plain text. */
export const Email = z.email().max(MAX_EMAIL_LENGTH).toLowerCase().brand<'Email'>();
export type Email = z.infer<typeof Email>;

/** What may be an e-mail address, to be looked up. */
export const EmailInput = z.string().min(1).max(MAX_GIVEN_EMAIL_LENGTH).toLowerCase().brand<'Email'>();

export const toEmail = (address: string): Email => address.toLowerCase() as Email;

/** The patient reference id: `referenceId` of an enrollment, `sub` of a patient token, FHIR `Person.id`. */
export const PatientId = uuid.brand<'PatientId'>();
export type PatientId = z.infer<typeof PatientId>;

export const ConsentRecordId = uuid.brand<'ConsentRecordId'>();
export type ConsentRecordId = z.infer<typeof ConsentRecordId>;

/** SHA-256, in hex. */
export const MarkHash = z.string().regex(/^[0-9a-f]{64}$/);
export const ScreenshotId = uuid.brand<'ScreenshotId'>();
export type ScreenshotId = z.infer<typeof ScreenshotId>;

/** One password of a patient or one secret of an API key; a change makes another. */
export const CredentialId = uuid.brand<'CredentialId'>();
export type CredentialId = z.infer<typeof CredentialId>;

/** Names an API key in paths; the key itself is what a program presents. */
export const DoctorRunId = uuid.brand<'DoctorRunId'>();
export type DoctorRunId = z.infer<typeof DoctorRunId>;

export const ApiKeyId = uuid.brand<'ApiKeyId'>();
export type ApiKeyId = z.infer<typeof ApiKeyId>;

/** An app as an organization sees it: its clients may have registered many times. */
export const ClientAppId = uuid.brand<'ClientAppId'>();
export type ClientAppId = z.infer<typeof ClientAppId>;

/** An app by its own id, or by the `client_id` of one of its clients: that of a registration, or the address of a document. */
export const ClientReference = z
  .string()
  .max(2000)
  .regex(
    /^(?:[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|https:\/\/[!-~]+)$/,
    'must be the id of an app or a client_id: a UUID, or the https address of a metadata document',
  )
  .transform((text) => (text.startsWith('https:') ? text : text.toLowerCase()))
  .brand<'ClientReference'>();
export type ClientReference = z.infer<typeof ClientReference>;

/** What the filter `client` of a list says. */
export const CLIENT_FILTER =
  'An OAuth client id, or the `id` of an app of `…/clients`, for every client that connected under it';

export const SessionId = uuid.brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;

export const PasskeyId = uuid.brand<'PasskeyId'>();
export type PasskeyId = z.infer<typeof PasskeyId>;

export const BatchId = uuid.brand<'BatchId'>();
export type BatchId = z.infer<typeof BatchId>;

/** A document that is stored as it was uploaded; the id follows from its bytes and its path. */
export const DocumentId = uuid.brand<'DocumentId'>();
export type DocumentId = z.infer<typeof DocumentId>;

/** A FHIR server that an organization has connected. */
export const SourceId = uuid.brand<'SourceId'>();
export type SourceId = z.infer<typeof SourceId>;

export const WebhookId = uuid.brand<'WebhookId'>();
export type WebhookId = z.infer<typeof WebhookId>;

export const WebhookReplayId = uuid.brand<'WebhookReplayId'>();
export type WebhookReplayId = z.infer<typeof WebhookReplayId>;

/** `webhook-id` of Standard Webhooks: the same to every endpoint and on every attempt. Its ULID says when it was emitted. */
export const EventId = z
  .string()
  .regex(/^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be evt_ and a ULID')
  .brand<'EventId'>();
export type EventId = z.infer<typeof EventId>;

/** An authorization request that waits for the patient: 192 random bits. */
export const AuthorizationRequestId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{32}$/, 'must be 32 characters of base64url')
  .brand<'AuthorizationRequestId'>();
export type AuthorizationRequestId = z.infer<typeof AuthorizationRequestId>;

/**
 * A bit for each category and each restricted class of the data, in the contract's order: what an entry requires of a
 * consent, or what a consent withholds. The entry is covered when the two have no bit in common.
 */
export type DataMask = number & z.core.$brand<'DataMask'>;

/** An OAuth grant of a patient to one client: its access and refresh tokens end with it. */
export const GrantId = uuid.brand<'GrantId'>();
export type GrantId = z.infer<typeof GrantId>;
