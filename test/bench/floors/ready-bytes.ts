import fs from 'node:fs';
import fastify from 'fastify';

/** A Fastify route that answers ready bytes from memory: `ready-bytes.ts PORT FILE`. */
const [port, file] = process.argv.slice(2);
const bytes = fs.readFileSync(file ?? '');
const app = fastify();
app.get('/', async (_request, reply) => reply.type('application/fhir+json').send(bytes));
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
