import type { FastifyRequest } from 'fastify';
import type { Caller, Session } from '../../../contract/audience.ts';
import type { EndpointDefinition } from '../../../contract/endpoint.ts';
import {
  authenticateCaller,
  checkOwnership,
  notSignedIn,
  type Authenticate,
  type ResolveSession,
} from './access.ts';
import type { BrowserContext } from './browser-context.ts';

/** Who calls, and what the path names, which is theirs. */
export interface AuthorizedCall {
  caller: Caller | Session | null;
  params: Record<string, string>;
  browserContext: BrowserContext | undefined;
  /** The caller was let in before all of the body was there. */
  isBodyLate: boolean;
  /** Asks once more, and throws where the session, token or role that let the caller in has ended since. */
  requireStillPermitted(): Promise<void>;
}

interface Deps {
  authenticate: Authenticate;
  resolveSession: ResolveSession;
  parseParameters(request: FastifyRequest): Record<string, string>;
}

/** Lets the caller of an endpoint in, as the contract says; throws where it does not. */
export async function authorizeCall(
  deps: Deps,
  definition: EndpointDefinition,
  { request, browserContext }: { request: FastifyRequest; browserContext: BrowserContext | undefined },
): Promise<AuthorizedCall> {
  const { url, headers } = request;
  const session = browserContext?.session ?? null;
  const parseOwnParameters = (caller: AuthorizedCall['caller']): Record<string, string> => {
    try {
      return deps.parseParameters(request);
    } catch (error) {
      // FHIR's ids are any text: to a patient's token one that nobody has is another's.
      if (definition.dialect === 'fhir') checkOwnership(caller, request.params as Record<string, string>);
      throw error;
    }
  };
  const authorize = async (): Promise<Pick<AuthorizedCall, 'caller' | 'params'>> => {
    const credentials = { url, authorization: headers.authorization, session };
    const caller = await authenticateCaller(credentials, definition, deps);
    const params = parseOwnParameters(caller);
    checkOwnership(caller, params);
    return { caller, params };
  };
  const call: AuthorizedCall = {
    ...(await authorize()),
    browserContext,
    isBodyLate: !request.raw.complete,
    async requireStillPermitted() {
      const { caller } = await authorize();
      if (caller === null && call.caller !== null) throw notSignedIn();
      call.caller = caller;
    },
  };
  return call;
}

/**
 * Asks again who calls once the body is there, where it was not at first: it may take minutes to arrive, and whoever is removed,
 * signed out or has lost a key meanwhile would still be let in. A body that came with its headers costs no statement more.
 */
export async function requireStillPermitted(
  { checksToken }: EndpointDefinition,
  call: AuthorizedCall,
): Promise<void> {
  if (call.isBodyLate && call.caller !== null && checksToken !== true) await call.requireStillPermitted();
}
