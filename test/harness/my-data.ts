import { fromBufferPromise, type Entry } from 'yauzl';
import { call, type Answer } from './service.ts';
import type { Visitor } from './visitor.ts';

type Service = { baseUrl: string };

const cookieOf = (on: Visitor): string =>
  Array.from(on.cookies, ([name, value]) => `${name}=${value}`).join('; ');

/** The patient whose session a browser has. */
export const patientOf = (on: Visitor): string =>
  (on.cookies.get('chartgate-session') ?? '').split('.')[0] as string;

/** An archive through the upload form of the person's page. */
export async function uploadOnPage(
  service: Service,
  on: Visitor,
  archive: Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(archive)]), 'archive.zip');
  const own = {
    cookie: cookieOf(on),
    'x-csrf-token': await on.csrfToken(),
    origin: new URL(service.baseUrl).origin,
  };
  return call(service, '/account/uploads', { body: form, headers: { ...own, ...headers } });
}

/** Waits until all uploads were read; answers what the page shows. */
export async function uploadsRead(on: Visitor): Promise<Answer['body'][]> {
  for (;;) {
    const { body } = await on.get('/account/uploads');
    const batches = body.results as Answer['body'][];
    if (batches.every(({ status }) => !['queued', 'processing'].includes(status as string))) return batches;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const askDownload = (service: Service, on: Visitor, init: RequestInit = {}): Promise<Response> =>
  fetch(`${service.baseUrl}/account/download`, { ...init, headers: { cookie: cookieOf(on) } });

/** The members of the archive that a person takes along, by name. */
export async function downloaded(service: Service, on: Visitor): Promise<Map<string, Buffer>> {
  const answer = await askDownload(service, on);
  if (answer.status !== 200) throw new Error(`no download: ${answer.status} ${await answer.text()}`);
  const zip = await fromBufferPromise(Buffer.from(await answer.arrayBuffer()));
  const members = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
    const stream = await zip.openReadStreamPromise(entry);
    members.set(entry.fileName, Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)));
  }
  return members;
}
