import type { FastifyRequest } from 'fastify';

/** Returns what a log line may say of a request: the path is the contract's, without ids; `none` where no endpoint was found. */
export const describeRequest = ({
  method,
  routeOptions,
}: Pick<FastifyRequest, 'method' | 'routeOptions'>): { method: string; route: string } => ({
  method,
  route: routeOptions?.url ?? 'none',
});
