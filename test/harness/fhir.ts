import { call, type HttpResponse, type TestService } from './service.ts';

export const buildEverythingPath = (patientId: string, query = ''): string =>
  `/FHIR/R4/Person/${patientId}/$everything${query && `?${query}`}`;

export interface BundleEntry {
  fullUrl: string;
  search: { mode: string };
  resource: { resourceType: string; id: string; [element: string]: unknown };
}

export interface Bundle {
  resourceType: string;
  type: string;
  total: number;
  link: { relation: string; url: string }[];
  /** Absent where there is none: `listEntries`. */
  entry: BundleEntry[];
}

/** `$everything` of one patient. */
export const getEverything = (
  service: Pick<TestService, 'baseUrl'>,
  { id, token }: { id: string; token: string },
  query = '',
): Promise<HttpResponse> => call(service, buildEverythingPath(id, query), { token });

export const findLink = (bundle: Bundle, relation: string): string | undefined =>
  bundle.link.find((link) => link.relation === relation)?.url;

/** All pages, by their `next` links. */
export async function fetchAllPages(
  service: TestService,
  caller: { id: string; token: string },
  query = '',
  onPage: (page: number) => Promise<void> = async () => {},
): Promise<Bundle[]> {
  const pages: Bundle[] = [];
  let url: string | undefined = buildEverythingPath(caller.id, query);
  while (url !== undefined) {
    const { status, body }: HttpResponse = await call(service, url, { token: caller.token });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    pages.push(body as Bundle);
    await onPage(pages.length);
    const next = findLink(body as Bundle, 'next');
    if (next !== undefined && !next.startsWith(service.baseUrl)) throw new Error(`a link elsewhere: ${next}`);
    url = next?.slice(service.baseUrl.length);
  }
  return pages;
}

export const listEntries = ({ entry }: Partial<Pick<Bundle, 'entry'>>): BundleEntry[] => entry ?? [];

export const listReferences = (bundles: readonly Bundle[]): string[] =>
  bundles.flatMap((bundle) =>
    listEntries(bundle).map(({ resource }) => `${resource.resourceType}/${resource.id}`),
  );

export interface RawResponse {
  status: number;
  headers: Headers;
  /** As it came over the wire, its encoding undone. */
  text: string;
}

/** A GET whose body is not parsed: for what must come byte for byte. */
export async function getRaw(
  service: Pick<TestService, 'baseUrl'>,
  path: string,
  { token, headers, method = 'GET' }: { token?: string; headers?: Record<string, string>; method?: string },
): Promise<RawResponse> {
  const response = await fetch(service.baseUrl + path, {
    method,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The whole record as lines. */
export async function fetchNdjsonLines(
  service: Pick<TestService, 'baseUrl'>,
  { id, token }: { id: string; token: string },
  query = '',
): Promise<string[]> {
  const headers = { accept: 'application/fhir+ndjson' };
  const { status, text } = await getRaw(service, buildEverythingPath(id, query), { token, headers });
  if (status !== 200) throw new Error(`${status} ${text}`);
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end');
  return text.split('\n').slice(0, -1);
}

export const parseReferences = (lines: readonly string[]): string[] =>
  lines.map((line) => {
    const { resourceType, id } = JSON.parse(line) as { resourceType: string; id: string };
    return `${resourceType}/${id}`;
  });

/** What an OperationOutcome says, or why it is none. */
export function formatOutcome({ body }: Pick<HttpResponse, 'body'>): string {
  const issue = body?.resourceType === 'OperationOutcome' ? body.issue?.[0] : undefined;
  return issue ? `${issue.code} ${issue.diagnostics}` : `no OperationOutcome: ${JSON.stringify(body)}`;
}
