import { readZip } from './read-zip.ts';
import { call, type HttpResponse } from './service.ts';
import type { TestBrowser } from './test-browser.ts';

type Service = { baseUrl: string };

export const formatCookies = (browser: TestBrowser): string =>
  Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');

/** The patient whose session a browser has. */
export const getPatientId = (browser: TestBrowser): string =>
  (browser.cookies.get('chartgate-session') ?? '').split('.')[0] as string;

/** An archive through the upload form of the person's page. */
export async function uploadOnPage(
  service: Service,
  browser: TestBrowser,
  archive: Buffer,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(archive)]), 'archive.zip');
  const own = {
    cookie: formatCookies(browser),
    'x-csrf-token': await browser.csrfToken(),
    origin: new URL(service.baseUrl).origin,
  };
  return call(service, '/account/uploads', { body: form, headers: { ...own, ...headers } });
}

/** Waits until all uploads were read; answers what the page shows. */
export async function waitForUploads(browser: TestBrowser): Promise<HttpResponse['body'][]> {
  for (;;) {
    const { body } = await browser.get('/account/uploads');
    const batches = body.results as HttpResponse['body'][];
    if (batches.every(({ status }) => !['queued', 'processing'].includes(status as string))) return batches;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const requestDownload = (
  service: Service,
  browser: TestBrowser,
  init: RequestInit = {},
): Promise<Response> =>
  fetch(`${service.baseUrl}/account/download`, { ...init, headers: { cookie: formatCookies(browser) } });

/** The members of the archive that a person takes along, by name. */
export async function downloadArchive(service: Service, browser: TestBrowser): Promise<Map<string, Buffer>> {
  const answer = await requestDownload(service, browser);
  if (answer.status !== 200) throw new Error(`no download: ${answer.status} ${await answer.text()}`);
  return readZip(await answer.arrayBuffer());
}
