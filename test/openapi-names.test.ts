import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { buildOpenApiDocument } from '../contract/openapi/openapi.ts';
import tools from '../contract/mcp/tools.json' with { type: 'json' };
import { TOOLS } from '../server/surfaces/mcp/tools/tools.ts';

type Json = Record<string, unknown>;

const document = buildOpenApiDocument(ENDPOINTS);

/** Follows the keys, and references on the way. */
function find(path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => {
    const { $ref } = (at ?? {}) as { $ref?: string };
    const from = $ref === undefined ? at : find($ref.slice(2).split('/'));
    return (from as Json | undefined)?.[key];
  }, document);
}

const SCHEMAS = ['components', 'schemas'];
const inSchema = (name: string): string[] => [...SCHEMAS, name];
const inOperation = (path: string, method: string): string[] => ['paths', path, method];

const TOKEN = '/oauth/token';

/** The names that the service says over the wire, by the place in the document at which a reader looks for them. */
const NAMES: readonly (readonly [place: readonly string[], names: string])[] = [
  [
    inSchema('McpToolCall'),
    'get_health_summary search get_conditions get_medications get_labs get_vitals get_allergies get_procedures get_immunizations get_visits search_clinical_notes update_and_check_recent_records get_other_records get_details years beforeDate query encounterId vitals tests kinds kind references care_team care_plan goal device family_history social_history survey imaging order coverage document other Blood_Pressure Heart_Rate Body_Temperature Respiratory_Rate Oxygen_Saturation Weight Height Body_Mass_Index',
  ],
  [inSchema('McpToolResult'), 'content type text isError hasMoreData dateRange nextBeforeDate'],
  [
    inSchema('McpToolList'),
    'tools name title description inputSchema annotations readOnlyHint anthropic/maxResultSizeChars',
  ],
  [inSchema('McpInitializeParams'), 'protocolVersion capabilities clientInfo'],
  [inSchema('McpInitializeResult'), 'protocolVersion capabilities tools serverInfo name version description'],
  [inSchema('McpResourceList'), 'resources'],
  [
    inSchema('JsonRpcRequest'),
    'jsonrpc id method params initialize notifications/initialized ping tools/list tools/call resources/list McpToolCall McpInitializeParams',
  ],
  [
    inSchema('JsonRpcResponse'),
    'result error code message -32700 -32600 -32601 -32602 -32603 -32000 McpToolResult McpToolList McpInitializeResult McpResourceList',
  ],
  ...['/mcp', '/projects/{projectId}/mcp'].flatMap((path): [string[], string][] => [
    [[...inOperation(path, 'post'), 'responses'], '200 202 400 401 403 404 413 415 429 507'],
    [
      [...inOperation(path, 'post'), 'responses', '401', 'headers', 'WWW-Authenticate'],
      'Bearer resource_metadata scope patient/*.read invalid_token',
    ],
    [[...inOperation(path, 'post'), 'responses', '429', 'headers'], 'Retry-After'],
    [[...inOperation(path, 'post'), 'responses', '404', 'content'], 'JsonRpcResponse'],
  ]),
  [[...inOperation('/v1/patients/consents', 'get'), 'responses', '401', 'headers'], 'WWW-Authenticate'],
  [[...inOperation(TOKEN, 'post'), 'responses', '429', 'headers'], 'Retry-After'],
  [['components', 'responses', 'MethodNotAllowed'], 'Allow Problem'],
  [
    [...inSchema('TokenResponse'), 'properties', 'access_token'],
    'iss sub aud exp iat scope client_id jti gid organizationId projectId firstName lastName isTestPatient',
  ],
  [
    [...inOperation('/oauth/authorize', 'get'), 'parameters'],
    'response_type client_id redirect_uri scope offline_access state code_challenge code_challenge_method resource',
  ],
  [[...inOperation('/oauth/authorize', 'get'), 'responses', '303', 'headers', 'Location'], 'oauth_state iss'],
  [
    [...inSchema('ConsentRecord'), 'properties'],
    'healthcareOrganizationId id timestamp patientId studyId consentType consentStatus expirationTimestamp consentStats sessionLength interactions screen action at studySnapshotId consentConfigSnapshotId consentUIFlow uiHash PER_STUDY_PRESCREEN PATIENT_DIRECTED_DATA_EXCHANGE DATA_AUTHORIZATION FUTURE_DATA_USE OPTED_IN OPTED_OUT API',
  ],
  [
    [...inSchema('ConsentSummary'), 'properties'],
    'hasPatientConsented source STUDY consentRecordId expirationTimestamp',
  ],
  [
    [...inSchema('UploadBatch'), 'properties'],
    'batchId status receivedAt completedAt documents total processed rejected resources created updated unchanged path code message class_unknown needs_confirmation completed_with_errors',
  ],
];

describe('the names that the service says over the wire', () => {
  it('stand in the OpenAPI document where a reader looks for them', () => {
    const missing = NAMES.flatMap(([place, names]) => {
      const found = JSON.stringify(find(place) ?? null);
      return names
        .split(' ')
        .map((name) => name.replaceAll(/(?<=[A-Z][a-z]+)_(?=[A-Z])/g, ' '))
        .filter((name) => !new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?!\\w)`).test(found))
        .map((name) => `${place.join('.')}: ${name}`);
    });
    assert.deepEqual(missing, []);
  });

  it('are those of the tools that are served', () => {
    const served = TOOLS.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
    }));
    assert.deepEqual(JSON.parse(JSON.stringify(served)), tools, 'run tools/write-mcp-tools.ts');
  });
});
