import type { FastifyReply } from 'fastify';
import type { Caller, Session } from '../../../contract/audience.ts';
import type { EndpointDefinition } from '../../../contract/endpoint.ts';
import type { Usage } from '../usage/usage.ts';
import { isBrokenOff } from './after-answer.ts';

/** What the request itself is at fault for, as are wrong arguments of a tool: nobody was refused anything, and the log has no read. */
const FAULTY_INPUT: ReadonlySet<number> = new Set([400, 406, 413, 415]);

/**
 * Counts a call as its organization's use, once it was answered or broken off; one that nobody was let in for is nobody's, and what
 * patients read of their own as FHIR is theirs: no consent limits it. What was not answered as a whole has failed, as its second
 * entry of the log says.
 */
export function countCall(
  usage: Pick<Usage, 'count'>,
  { usage: kind, name }: EndpointDefinition,
  { caller, reply }: { caller: Caller | Session | null; reply: FastifyReply },
): void {
  if (kind === undefined || caller === null || caller.kind === 'patient-session') return;
  if (kind === 'fhir_read' && caller.kind === 'patient' && !caller.isTestPatient) return;
  const { statusCode, elapsedTime } = reply;
  usage.count({
    organizationId: caller.organizationId,
    ...(caller.kind === 'patient' && { projectId: caller.projectId, client: caller.client }),
    kind,
    name,
    outcome:
      isBrokenOff(reply) || statusCode >= 500 || FAULTY_INPUT.has(statusCode)
        ? 'failed'
        : statusCode < 400
          ? 'success'
          : 'refused',
    durationMs: elapsedTime,
  });
}
