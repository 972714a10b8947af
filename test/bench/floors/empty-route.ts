import fastify from 'fastify';

/** The floor under everything: Fastify, one route, an answer that is there already. `node empty-route.ts PORT BYTES`. */
const [, , port, bytes] = process.argv;
const answer = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text: 'x'.repeat(Number(bytes)) }] },
});
const app = fastify();
app.post('/mcp', (_request, reply) => reply.type('application/json').send(answer));
await app.listen({ port: Number(port), host: '127.0.0.1' });
