import http from 'node:http';

/** A loopback proxy that adds a bearer token, for programs that cannot be given one; Host and Origin pass through. */
export async function startAuthProxy(
  target: string,
  token: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = http.createServer((request, reply) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const upstream = http.request(
      target + (request.url ?? ''),
      { method: request.method, headers },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      },
    );
    upstream.on('error', () => reply.destroy());
    request.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
