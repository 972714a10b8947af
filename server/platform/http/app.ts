import type { FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The HTTP application, as routes see it. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse>;
