import http from 'node:http';
import net from 'node:net';
import { decodeJwt } from 'jose';
import type { GrantId, PatientId } from '../../contract/brands.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { callMcp } from '../harness/authorization.ts';
import type { HttpResponse, TestService } from '../harness/service.ts';

/** An attacker who is not slowed down: the limits have cases of their own. */
export const UNLIMITED = {
  CHARTGATE_OAUTH_RATE_LIMIT: '1000000',
  CHARTGATE_MCP_RATE_LIMIT: '1000000',
};

/** Status and OAuth error code. */
export const getStatusAndError = ({ status, body }: HttpResponse): [number, unknown] => [
  status,
  (body as { error?: unknown }).error,
];

export const INVALID_GRANT = [400, 'invalid_grant'];

/** The status of a tool call under a token. */
export const getToolStatus = async (service: Pick<TestService, 'baseUrl'>, token: unknown): Promise<number> =>
  (await callMcp(service, token as string, 'tools/call')).status;

interface GrantRow {
  generation: number;
  revoked_because: string | null;
}

/** The grant of an access token, as it is stored. */
export function findGrant({ store }: Pick<TestService, 'store'>, accessToken: unknown): Promise<GrantRow> {
  const { sub, gid } = decodeJwt(accessToken as string) as { sub: PatientId; gid: GrantId };
  return one(
    store.db,
    sql<GrantRow>`select generation, revoked_because from oauth_grant where patient_id = ${sub} and grant_id = ${gid}`,
  );
}

/** What is in the audit log of the whole store, by action. */
export async function listAuditDetails(
  { store }: Pick<TestService, 'store'>,
  action: string,
): Promise<unknown[]> {
  const rows = await store.db.query(
    sql<{
      detail: string;
    }>`select detail::text as detail from audit_entry where action = ${action} order by at`,
  );
  return rows.map(({ detail }) => JSON.parse(detail) as unknown);
}

export interface RawResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** A request with headers that `fetch` would not send; the path goes out as it is. */
export function sendRaw(
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  path: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: string } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Bytes as they are, and all that comes back. */
export function sendBytes({ baseUrl }: Pick<TestService, 'baseUrl'>, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => (text += part));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.setTimeout(5000, () => socket.destroy());
  });
}
