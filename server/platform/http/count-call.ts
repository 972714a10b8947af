import type { FastifyReply } from 'fastify';
import type { Caller, Session } from '../../../contract/audience.ts';
import type { EndpointDefinition } from '../../../contract/endpoint.ts';
import type { Usage } from '../usage/usage.ts';

/** Counts a call that was answered as its organization's use; one that nobody was let in for is nobody's. */
export function countCall(
  usage: Pick<Usage, 'count'>,
  { usage: kind, name }: EndpointDefinition,
  { caller, reply }: { caller: Caller | Session | null; reply: FastifyReply },
): void {
  if (kind === undefined || caller === null || caller.kind === 'patient-session') return;
  const { statusCode, elapsedTime } = reply;
  usage.count({
    organizationId: caller.organizationId,
    ...(caller.kind === 'patient' && { projectId: caller.projectId, client: caller.client }),
    kind,
    name,
    outcome: statusCode < 400 ? 'success' : statusCode < 500 ? 'refused' : 'failed',
    durationMs: elapsedTime,
  });
}
