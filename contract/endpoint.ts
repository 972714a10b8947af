import { z } from 'zod';
import type {
  Audience,
  MemberSession,
  OrganizationCaller,
  PatientCaller,
  PatientSession,
} from './audience.ts';
import {
  AuthorizationRequestId,
  BatchId,
  ConsentRecordId,
  DocumentId,
  EventId,
  OrganizationId,
  PatientId,
  ProjectId,
  ScreenshotId,
  SourceId,
  WebhookId,
} from './brands.ts';

/** Every name that may stand in a path; the name decides the type and, in `serve`, who it must belong to. */
export const PATH_PARAMETERS = {
  orgId: OrganizationId,
  projectId: ProjectId,
  patientId: PatientId,
  batchId: BatchId,
  documentId: DocumentId,
  consentRecordId: ConsentRecordId,
  screenshotId: ScreenshotId,
  sourceId: SourceId,
  webhookId: WebhookId,
  /** Within a webhook, a delivery is known by its event. */
  deliveryId: EventId,
  /** A study is a project. */
  studyId: ProjectId,
  requestId: AuthorizationRequestId,
  /** Judged in the FHIR room. */
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

/** How a "no" is said: RFC 9457 problem details, the MCP endpoint's JSON, RFC 6749 §5.2, or an OperationOutcome. */
export type Dialect = 'problem' | 'mcp' | 'oauth' | 'fhir';

export interface EndpointDefinition {
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH' | 'PUT';
  path: string;
  /** camelCase, the operation's name in OpenAPI. */
  name: string;
  summary: string;
  tag: string;
  audience: readonly Audience[];
  dialect?: Dialect;
  /** Web pages of any origin may call it; it takes no cookies. */
  cors?: true;
  /**
   * For our own pages: it has the browser's cookies, and every method but GET needs the page's CSRF token. Every endpoint
   * for a session is one.
   */
  page?: true;
  /** Takes OAuth access tokens whose audience is this very address (RFC 8707). */
  protectedResource?: true;
  consumes?: string;
  produces?: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body may be absent. */
  bodyOptional?: boolean;
  /** Bytes of the largest body; 1 MiB unless said. */
  bodyLimit?: number;
  status?: number;
  response: z.ZodType;
  /** Refusals beyond those every endpoint of its kind has: status → when. */
  refusals?: Readonly<Record<number, string>>;
}

export type CallerFor<Allowed extends readonly Audience[]> = CallerKinds[Allowed[number]];

interface CallerKinds {
  anyone: null;
  admin: OrganizationCaller;
  researcher: OrganizationCaller;
  patient: PatientCaller;
  'patient-session': PatientSession;
  member: MemberSession;
}

/** Whether the endpoint is for people who are signed in on our own pages, not for bearers of tokens. */
export const takesSession = ({ audience }: EndpointDefinition): boolean =>
  audience.includes('patient-session') || audience.includes('member');

/** Says one endpoint once: its validation, its types, its access rule and its documentation all come from here. */
export const defineEndpoint = <const Definition extends EndpointDefinition>(
  definition: Definition,
): Definition => definition;
