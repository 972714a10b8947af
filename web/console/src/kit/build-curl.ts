import type { EndpointDefinition } from '../../../../contract/endpoint.ts';
import { buildUrl, type Target } from '../../../kit/http/call.ts';
import type { ConsoleRequest } from '../api/console-call.ts';
import { useConsole } from '../api/use-console.ts';

/** Quotes for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

interface CurlParts {
  method: string;
  url: string;
  body?: unknown;
}

/** The command line of a call, with the token in a variable. */
export function buildCurl({ method, url, body }: CurlParts): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`,
    `-H "Authorization: Bearer $CHARTGATE_TOKEN"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body, null, 2))}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Returns the function that writes a call of the console as curl. */
export function useCurl(): <E extends EndpointDefinition>(
  target: Target<E>,
  request?: ConsoleRequest<E>,
) => string {
  const { baseUrl, organization } = useConsole();
  return (target, { params, query, body } = {}) => {
    const [method = 'GET', path = ''] = target.split(' ');
    const url = baseUrl + buildUrl(path, { ...params, orgId: organization.id }, query ?? {});
    return buildCurl({ method, url, ...(body !== undefined && { body }) });
  };
}
