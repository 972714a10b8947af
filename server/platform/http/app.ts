import type { FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The HTTP application that routes are registered on. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse>;
