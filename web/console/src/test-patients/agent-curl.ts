import { buildCurl } from '../kit/build-curl.ts';
import { buildUrl } from '../../../kit/http/call.ts';
import { buildMcpUrl, buildMessage, PROTOCOL_VERSION } from './call-mcp.ts';
import { CONSENT_TARGET, type ConsentBody, GRANT_TARGET, TOKEN_TARGET } from './test-agent.ts';

interface Case {
  baseUrl: string;
  organizationId: string;
  patientId: string;
  projectId: string;
}

const fill = ({ baseUrl, organizationId, ...ids }: Case, target: string): string =>
  baseUrl + buildUrl(target.replace(/^\w+ /, ''), { ...ids, orgId: organizationId }, {});

/** Takes a token of the person with the token of an API key; a token itself stands in no command. */
const buildTokenCurl = (testCase: Case, grant: object | null): string => {
  const target = grant === null ? TOKEN_TARGET : GRANT_TARGET;
  const request = { method: 'POST', url: fill(testCase, target), ...(grant && { body: grant }) };
  return `PATIENT_TOKEN=$(${buildCurl(request)} | jq -r .token)`;
};

const asPatient = (command: string): string => command.replace('$CHARTGATE_TOKEN', '$PATIENT_TOKEN');

/** The decision of the person as commands. */
export const buildConsentCurl = (testCase: Case, body: ConsentBody): string =>
  [
    buildTokenCurl(testCase, null),
    asPatient(buildCurl({ method: 'POST', url: fill(testCase, CONSENT_TARGET), body })),
  ].join('\n\n');

/** The call of a tool as commands: the token of the consent or of a narrower grant, and then what any agent sends. */
export function buildToolCurl(
  testCase: Case,
  { name, input, grant }: { name: string; input: object; grant: object | null },
): string {
  const body = buildMessage('tools/call', { name, arguments: input });
  const call = buildCurl({ method: 'POST', url: buildMcpUrl(testCase.baseUrl, testCase.projectId), body });
  const version = `-H 'MCP-Protocol-Version: ${PROTOCOL_VERSION}'`;
  const lines = asPatient(call).replace("-H 'Content-Type", `${version} \\\n  -H 'Content-Type`);
  return [buildTokenCurl(testCase, grant), lines].join('\n\n');
}
