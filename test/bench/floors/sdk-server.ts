import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';

/** A bare server of the official SDK, stateless, JSON answers, one tool, a constant text. `node sdk-server.ts PORT BYTES`. */
const [, , port, bytes] = process.argv;
const text = 'x'.repeat(Number(bytes));

createServer((request, response) => {
  const server = new McpServer({ name: 'floor', version: '1.0.0' });
  for (const name of ['get_conditions', 'get_health_summary']) {
    server.registerTool(name, { description: name }, async () => ({ content: [{ type: 'text', text }] }));
  }
  // Stateless means a server and a transport a request: they cannot be shared between requests.
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  void server.connect(transport).then(() => transport.handleRequest(request, response));
}).listen(Number(port), '127.0.0.1');
