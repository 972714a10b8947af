import { z } from 'zod';
import type {
  Audience,
  MemberSession,
  OrganizationCaller,
  PatientCaller,
  PatientSession,
} from './audience.ts';
import type { UsageKind } from './organization/usage-kind.ts';
import type { Permission } from './roles.ts';
import {
  ApiKeyId,
  AuthorizationRequestId,
  BatchId,
  ClientReference,
  ConsentRecordId,
  DocumentId,
  EventId,
  InvitationId,
  MarkHash,
  MemberId,
  OrganizationId,
  PatientId,
  ProjectId,
  ScreenshotId,
  SourceId,
  WebhookId,
  WebhookReplayId,
} from './brands.ts';

/** Every parameter that a path may have; its name decides the type and, in `serve`, whose it must be. */
export const PATH_PARAMETERS = {
  orgId: OrganizationId,
  apiKeyId: ApiKeyId,
  projectId: ProjectId,
  patientId: PatientId,
  batchId: BatchId,
  documentId: DocumentId,
  consentRecordId: ConsentRecordId,
  screenshotId: ScreenshotId,
  sourceId: SourceId,
  clientId: ClientReference.describe(
    'The `id` of an app as `…/clients` lists it, or the `client_id` of one of its clients, as logs name them: the UUID of a registration, or the address of a metadata document, percent-encoded',
  ),
  memberId: MemberId,
  invitationId: InvitationId,
  webhookId: WebhookId,
  replayId: WebhookReplayId,
  /** Within a webhook, the event identifies the delivery. */
  deliveryId: EventId,
  /** A study is a project. */
  studyId: ProjectId,
  markHash: MarkHash,
  requestId: AuthorizationRequestId,
  /** Validated where FHIR is served, whose refusals are OperationOutcomes. */
  resourceType: z.string(),
  resourceId: z.string(),
} as const;

type PathParameterName = keyof typeof PATH_PARAMETERS;

type PathParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameterNames<Rest>
  : never;

export type PathParameters<Path extends string> = {
  [Name in PathParameterNames<Path> & PathParameterName]: z.infer<(typeof PATH_PARAMETERS)[Name]>;
};

/**
 * The format of a refusal: RFC 9457 problem details, the MCP endpoint's JSON, RFC 6749 §5.2, an OperationOutcome, or a page
 * for people (RFC 6749's JSON for programs).
 */
export type Dialect = 'problem' | 'mcp' | 'oauth' | 'fhir' | 'page';

/**
 * What an endpoint needs of the disk of the store. `uploads`: a lot; refused first. `reads`: reads of records, each of which
 * writes an audit entry, and what leads to them (authorizations, enrollment); refused when only the reserve is left, which is
 * kept for those who withdraw.
 */
export type StoreUse = 'uploads' | 'reads';

export interface EndpointDefinition {
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH' | 'PUT';
  path: string;
  /** Further paths that are the same endpoint, for clients that write it in another way; not in OpenAPI. */
  aliases?: readonly string[];
  /** camelCase, the operation's name in OpenAPI. */
  name: string;
  summary: string;
  tag: string;
  audience: readonly Audience[];
  /** What a caller of an organization must be permitted; each endpoint for organizations names one. */
  permission?: Permission;
  dialect?: Dialect;
  /** Web pages of any origin may call it, as they may call every endpoint that takes bearer tokens; it reads no cookies. */
  cors?: true;
  /**
   * For our own pages: it has the browser's cookies, and every method but GET needs the page's CSRF token. Every endpoint
   * for a session is one. `console`: the session is that of a member.
   */
  page?: true | 'console';
  /** A member who is signed in must have proved within some minutes to be present: it shows or ends what others rely on. */
  presence?: true;
  /** A member who is signed in must have chosen password and factor, as at every endpoint that names a permission. */
  needsSetup?: true;
  /** Takes OAuth access tokens whose audience is this very address (RFC 8707). */
  protectedResource?: true;
  /**
   * The handler sees to it that the token was not revoked: in the statement that reads the data, which saves one at each
   * call, or by asking before it answers anything else.
   */
  checksToken?: true;
  consumes?: string;
  produces?: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /**
   * A member of the body that is not known is refused: it could be meant to limit who or what is concerned, and without it all
   * are. Other bodies may have members that a later version knows; only names that are nearly known are refused there.
   */
  closedBody?: true;
  /** The handler validates the items of the body's list, so that a faulty one is named in the answer and affects no other. */
  checksItems?: true;
  /** The body may be absent. */
  bodyOptional?: boolean;
  /** The size limit of the body in bytes; 1 MiB by default. */
  bodyLimit?: number;
  /** The body may take an hour to arrive, as large files over a phone line do; others have two minutes. */
  slowBody?: true;
  /** Each call is counted as what its organization used. */
  usage?: UsageKind;
  /** What it needs of the disk: refused with 507 before its body is read where the disk has no space for it. */
  storeUse?: StoreUse;
  /** Request headers with a meaning of their own: name → meaning. */
  headers?: Readonly<Record<string, string>>;
  status?: number;
  response: z.ZodType;
  /** Further media types of the response, by negotiation. */
  alternatives?: Readonly<Record<string, z.ZodType>>;
  /** Whether its answer has an `ETag`, where that is not as `hasEntityTag` says of its kind. */
  tagged?: boolean;
  /** Headers of the response: name → meaning. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Needs a token that the operator configured, not one of this service. */
  operatorToken?: true;
  /** Refusals beyond those that every endpoint of its kind has: status → reason. */
  refusals?: Readonly<Record<number, string>>;
}

export type CallerFor<Allowed extends readonly Audience[]> = CallerKinds[Allowed[number]];

interface CallerKinds {
  anyone: null;
  organization: OrganizationCaller;
  patient: PatientCaller;
  'patient-session': PatientSession;
  member: MemberSession;
}

/** Whether the endpoint is for people who are signed in on our own pages, not for bearers of tokens. */
export const takesSession = ({ audience }: EndpointDefinition): boolean =>
  audience.includes('patient-session') || audience.includes('member');

/** Whether members who are signed in on the console may call the endpoint as well as API keys. Records are for programs. */
export const takesMember = ({ permission, path }: EndpointDefinition): boolean =>
  permission !== undefined && path.startsWith('/v1/');

/** Whether its answer has an `ETag`, by which a caller asks whether it is still the same: what a page of the console polls. */
export const hasEntityTag = (endpoint: EndpointDefinition): boolean =>
  endpoint.tagged ?? (takesMember(endpoint) && endpoint.method === 'GET' && endpoint.produces === undefined);

/** Whether it changes what is read with a tag, so that `If-Match` could be meant. */
export const isConditional = (endpoint: EndpointDefinition): boolean =>
  takesMember(endpoint) && endpoint.method !== 'GET';

/**
 * Whether a parameter that it does not name is refused. A caller whose filter is misspelt would otherwise get everybody, and one
 * whose `dryRun` is would enroll them. A change that takes no parameter ignores them.
 */
export const refusesUnknownParameters = ({ method, path, query }: EndpointDefinition): boolean =>
  path.startsWith('/v1/') && (method === 'GET' || query !== undefined);

/** Whether a body that comes with the call is read, though it may have no meaning: one that cannot be is refused. */
export const readsBody = ({ method }: EndpointDefinition): boolean => method !== 'GET';

/** Whether web pages of any origin may call the endpoint: a token that a page has to hold proves more than its origin. */
export const allowsAnyOrigin = (endpoint: EndpointDefinition): boolean =>
  endpoint.cors === true ||
  (!endpoint.page && !takesSession(endpoint) && !endpoint.audience.includes('anyone'));

/** Defines one endpoint: its validation, types, access rule and documentation all come from this value. */
export const defineEndpoint = <const Definition extends EndpointDefinition>(
  definition: Definition,
): Definition => definition;
