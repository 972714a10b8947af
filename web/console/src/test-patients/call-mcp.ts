import { Refusal } from '../../../kit/http/refusal.ts';
import type { Tool } from './schema-fields.ts';

/** Under which an agent sees a fault in its arguments as an answer that it can mend. */
export const PROTOCOL_VERSION = '2025-11-25';

interface McpDeps {
  baseUrl: string;
  projectId: string;
}

/** What came of a call of a tool. */
export interface ToolAnswer {
  status: number;
  durationMs: number;
  /** Markdown where the tool answered, else what the service said. */
  text: string;
  kind: 'answer' | 'error' | 'refused';
}

/** Calls a tool as any agent does. */
export async function callTool(
  deps: McpDeps,
  token: string,
  { name, input }: { name: string; input: object },
): Promise<ToolAnswer> {
  const startedAt = performance.now();
  const params = { name, arguments: input };
  const { status, body } = await postMcp(deps, { token, method: 'tools/call', params });
  return { status, durationMs: Math.round(performance.now() - startedAt), ...readAnswer(body) };
}

export async function listTools(deps: McpDeps, token: string): Promise<Tool[]> {
  const { status, body } = await postMcp(deps, { token, method: 'tools/list', params: {} });
  const tools = (body as { result?: { tools?: Tool[] } } | null)?.result?.tools;
  if (tools === undefined) throw new Refusal(status, 'mcp');
  return tools;
}

const TIMEOUT_MS = 60_000;

/** Posts a message as an agent does; whatever the endpoint says about the record is an answer, not a fault. */
async function postMcp(
  { baseUrl, projectId }: McpDeps,
  { token, method, params }: { token: string; method: string; params: object },
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(buildMcpUrl(baseUrl, projectId), {
    method: 'POST',
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'mcp-protocol-version': PROTOCOL_VERSION,
    },
    body: JSON.stringify(buildMessage(method, params)),
  }).catch((error: unknown) => {
    throw new Refusal(
      0,
      error instanceof Error && error.name === 'TimeoutError' ? 'timed-out' : 'unreachable',
    );
  });
  const { status } = response;
  if (status === 401) throw new Refusal(401, 'unauthorized');
  return { status, body: await response.json().catch(() => null) };
}

export const buildMcpUrl = (baseUrl: string, projectId: string): string =>
  `${baseUrl}/projects/${projectId}/mcp`;

export const buildMessage = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

interface RpcAnswer {
  result?: { isError?: boolean; content?: readonly { text?: string }[] };
  /** An object where the protocol answers, a text where HTTP does. */
  error?: string | { message?: string };
}

function readAnswer(body: unknown): Pick<ToolAnswer, 'text' | 'kind'> {
  const { result, error } = (body ?? {}) as RpcAnswer;
  if (result !== undefined) {
    const text = (result.content ?? []).map((part) => part.text ?? '').join('\n\n');
    return { text, kind: result.isError === true ? 'error' : 'answer' };
  }
  if (typeof error === 'string') return { text: error, kind: 'refused' };
  return { text: error?.message ?? '', kind: error === undefined ? 'refused' : 'error' };
}
