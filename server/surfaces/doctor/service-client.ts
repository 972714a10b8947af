import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

interface CallOptions {
  token?: string;
  body?: unknown;
  form?: FormData;
  method?: 'DELETE';
  signal?: AbortSignal | undefined;
}

/** The service refused. The message has its own words, which may name a person. */
export class ServiceRefusal extends Error {
  /** Which request was refused, and why: nothing in it names anybody. */
  readonly summary: string;

  constructor(path: string, status: number, text: string) {
    super(`${path}: ${status} ${text}`);
    this.name = 'ServiceRefusal';
    const [code = ''] = /(?<="code":\s*")\w+/.exec(text) ?? [];
    this.summary = `${path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '…')}: ${status} ${code}`.trim();
  }
}

/** Sends one request to the service, a POST when there is a body; throws with the service's own words. */
export async function callApi<Result>(
  baseUrl: string,
  path: string,
  { token, body, form, method, signal }: CallOptions,
): Promise<Result> {
  const response = await fetch(baseUrl + path, {
    // A redirect with 307 or 308 would take the body, a secret perhaps, to whatever host it names.
    redirect: 'manual',
    method: method ?? (body === undefined && form === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(form !== undefined ? { body: form } : body !== undefined ? { body: JSON.stringify(body) } : {}),
    ...(signal && { signal }),
  });
  if (!response.ok) throw new ServiceRefusal(path, response.status, await response.text());
  return (response.status === 204 ? undefined : await response.json()) as Result;
}

export async function waitForBatch(
  baseUrl: string,
  { path, token, signal }: { path: string; token: string; signal?: AbortSignal | undefined },
): Promise<void> {
  for (;;) {
    const batch = await callApi<{ status: string }>(baseUrl, path, { token, signal });
    if (batch.status === 'completed') return;
    if (batch.status.startsWith('completed_with') || batch.status === 'failed')
      throw new Error(`the upload ended as ${batch.status}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Returns what the official MCP client gets for `get_health_summary`. */
export async function readSummary(url: string, token: string, signal?: AbortSignal): Promise<string> {
  const client = new Client({ name: 'chartgate-demo', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` }, ...(signal && { signal }) },
    }),
  );
  const result = (await client.callTool({ name: 'get_health_summary', arguments: {} })) as {
    content: { type: string; text?: string }[];
  };
  await client.close();
  return result.content.map(({ text }) => text ?? '').join('\n');
}
