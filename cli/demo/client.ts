import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

interface CallOptions {
  token?: string;
  body?: unknown;
  form?: FormData;
}

/** Sends one request to the service, a POST when there is a body; throws with the service's own words. */
export async function callApi<Result>(
  baseUrl: string,
  path: string,
  { token, body, form }: CallOptions,
): Promise<Result> {
  const response = await fetch(baseUrl + path, {
    // A redirect with 307 or 308 would take the body, a secret perhaps, to whatever host it names.
    redirect: 'manual',
    method: body === undefined && form === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(form !== undefined ? { body: form } : body !== undefined ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Result;
}

export async function waitForBatch(
  baseUrl: string,
  { path, token }: { path: string; token: string },
): Promise<void> {
  for (;;) {
    const batch = await callApi<{ status: string }>(baseUrl, path, { token });
    if (batch.status === 'completed') return;
    if (batch.status.startsWith('completed_with') || batch.status === 'failed')
      throw new Error(`the upload ended as ${batch.status}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Returns what the official MCP client gets for `get_health_summary`. */
export async function readSummary(url: string, token: string): Promise<string> {
  const client = new Client({ name: 'chartgate-demo', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  const result = (await client.callTool({ name: 'get_health_summary', arguments: {} })) as {
    content: { type: string; text?: string }[];
  };
  await client.close();
  return result.content.map(({ text }) => text ?? '').join('\n');
}
