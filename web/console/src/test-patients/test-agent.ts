import type { decideTestPatientConsent } from '../../../../contract/account/consent.ts';
import type { EndpointDefinition } from '../../../../contract/endpoint.ts';
import type {
  createTestPatientGrant,
  createTestPatientToken,
} from '../../../../contract/organization/test-patients.ts';
import { buildUrl, type CallOptions, type Target } from '../../../kit/http/call.ts';
import { sendFile } from '../../../kit/http/send-file.ts';
import { send } from '../../../kit/http/send.ts';
import type { z } from 'zod';
import type { ConsoleCall } from '../api/console-call.ts';
import { createAgentTokens, type GrantBody } from './agent-tokens.ts';
import { callTool, listTools, type ToolAnswer } from './call-mcp.ts';
import type { Tool } from './schema-fields.ts';

export const TOKEN_TARGET =
  'POST /v1/organizations/{orgId}/test-patients/{patientId}/projects/{projectId}/token';
export const GRANT_TARGET =
  'POST /v1/organizations/{orgId}/test-patients/{patientId}/projects/{projectId}/grant';
export const CONSENT_TARGET = 'POST /v1/projects/{projectId}/test-patients/{patientId}/consent';

export type ConsentBody = z.input<(typeof decideTestPatientConsent)['body']>;

/** A program of a test patient: it holds the patient's tokens, here and nowhere else, and calls with them. */
export interface TestAgent {
  /** Calls an endpoint of patients. */
  call<E extends EndpointDefinition>(
    target: Target<E>,
    options: CallOptions<E>,
  ): Promise<z.infer<E['response']>>;
  /** Records the patient's decision; what agents hold of the one before is forgotten. */
  decide(body: ConsentBody): Promise<void>;
  upload(file: File, onProgress: (fraction: number) => void): Promise<void>;
  listTools(): Promise<Tool[]>;
  /** Calls a tool, with all that the consent covers, or with no more than the grant names. */
  callTool(tool: { name: string; input: object }, grant: GrantBody | null): Promise<ToolAnswer>;
}

interface AgentDeps {
  baseUrl: string;
  /** The call of the member, who takes the tokens. */
  call: ConsoleCall;
  patientId: string;
  projectId: string;
}

export function createTestAgent(deps: AgentDeps): TestAgent {
  const { baseUrl, patientId, projectId } = deps;
  const withToken = createTokens(deps);
  const buildTargetUrl = (path: string, params: object = {}, query: object = {}): string =>
    baseUrl + buildUrl(path, params as Record<string, string>, query);
  const agent: TestAgent = {
    call: (target, { params, query, body }) => {
      const [method = 'GET', path = ''] = target.split(' ');
      return withToken(null, (token) =>
        send(buildTargetUrl(path, params, query as object), {
          method,
          credentials: 'omit',
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ) as never;
    },
    async decide(body) {
      const params = { patientId, projectId };
      await agent.call<typeof decideTestPatientConsent>(CONSENT_TARGET, { params, body });
      withToken.forgetGrants();
    },
    async upload(file, onProgress) {
      const form = new FormData();
      form.append('file', file, file.name);
      const url = buildTargetUrl('/v1/patients/{patientId}/upload-documents', { patientId });
      await withToken(null, (token) =>
        sendFile(url, { headers: { authorization: `Bearer ${token}` }, form, onProgress }),
      );
    },
    listTools: () => withToken(null, (token) => listTools(deps, token)),
    callTool: (tool, grant) => withToken(grant, (token) => callTool(deps, token, tool)),
  };
  return agent;
}

function createTokens({ call, patientId, projectId }: AgentDeps) {
  const params = { patientId, projectId };
  return createAgentTokens((grant) =>
    grant === null
      ? call<typeof createTestPatientToken>(TOKEN_TARGET, { params })
      : call<typeof createTestPatientGrant>(GRANT_TARGET, { params, body: grant }),
  );
}
