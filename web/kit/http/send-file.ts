import { Refusal } from './refusal.ts';
import { parseResponse, type RawResponse } from './send.ts';

export interface SendFileOptions {
  headers: Record<string, string>;
  form: FormData;
  /** How much of it has been sent, 0 to 1. */
  onProgress(fraction: number): void;
}

/** Uses no `fetch`, which reports no upload progress; 100 MiB from a phone take minutes. */
export function sendFile(url: string, { headers, form, onProgress }: SendFileOptions): Promise<unknown> {
  const request = new XMLHttpRequest();
  request.open('POST', url);
  request.setRequestHeader('accept', 'application/json');
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / Math.max(total, 1)));
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      const { status, responseText: text } = request;
      resolve({ status, text, retry: request.getResponseHeader('retry-after') });
    });
    const onUnreachable = () => reject(new Refusal(0, 'unreachable'));
    request.addEventListener('error', onUnreachable);
    request.addEventListener('abort', onUnreachable);
    request.send(form);
  }).then((response) => parseResponse(response as RawResponse));
}
