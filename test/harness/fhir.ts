import { call, type Answer, type TestService } from './service.ts';

export const everythingPath = (patientId: string, query = ''): string =>
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
  entry: BundleEntry[];
}

/** `$everything` of one patient. */
export const everything = (
  service: Pick<TestService, 'baseUrl'>,
  { id, token }: { id: string; token: string },
  query = '',
): Promise<Answer> => call(service, everythingPath(id, query), { token });

export const linkOf = (bundle: Bundle, relation: string): string | undefined =>
  bundle.link.find((link) => link.relation === relation)?.url;

/** All pages, by their `next` links. */
export async function allPages(
  service: TestService,
  who: { id: string; token: string },
  query = '',
  between: (page: number) => Promise<void> = async () => {},
): Promise<Bundle[]> {
  const pages: Bundle[] = [];
  let url: string | undefined = everythingPath(who.id, query);
  while (url !== undefined) {
    const { status, body }: Answer = await call(service, url, { token: who.token });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    pages.push(body as Bundle);
    await between(pages.length);
    const next = linkOf(body as Bundle, 'next');
    if (next !== undefined && !next.startsWith(service.baseUrl)) throw new Error(`a link elsewhere: ${next}`);
    url = next?.slice(service.baseUrl.length);
  }
  return pages;
}

export const namesIn = (bundles: readonly Bundle[]): string[] =>
  bundles.flatMap(({ entry }) => entry.map(({ resource }) => `${resource.resourceType}/${resource.id}`));
