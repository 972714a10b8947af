import { Refusal } from './refusal.ts';

export interface Sending {
  method: string;
  headers?: Record<string, string>;
  body?: string;
}

/** No browser gives up on a silent service by itself before minutes have passed, some never do. */
const PATIENCE_MS = 60_000;
/** Evidence has megabytes, and a phone in the country sends 10 kB a second. */
const SLOWEST_BYTES_A_MS = 10;

/** One request and its answer: undefined for none, a `Refusal` for a no and for silence. */
export async function send(url: string, init: Sending): Promise<unknown> {
  const silence = new AbortController();
  const patience = PATIENCE_MS + (init.body?.length ?? 0) / SLOWEST_BYTES_A_MS;
  const timer = setTimeout(() => silence.abort(), patience);
  try {
    const response = await fetch(url, {
      ...init,
      signal: silence.signal,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { accept: 'application/json', ...init.headers },
    });
    const { status, headers } = response;
    return answerOf({ status, text: await response.text(), retry: headers.get('retry-after') });
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(0, 'unreachable');
  } finally {
    clearTimeout(timer);
  }
}

export interface SendingFile {
  headers: Record<string, string>;
  form: FormData;
  /** How much of it has been sent, 0 to 1. */
  onProgress(part: number): void;
}

/** Not by `fetch`, which does not tell how far an upload has come; 100 MiB from a phone take minutes. */
export function sendFile(url: string, { headers, form, onProgress }: SendingFile): Promise<unknown> {
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
    const silence = () => reject(new Refusal(0, 'unreachable'));
    request.addEventListener('error', silence);
    request.addEventListener('abort', silence);
    request.send(form);
  }).then((heard) => answerOf(heard as Heard));
}

interface Heard {
  status: number;
  text: string;
  retry: string | null;
}

function answerOf({ status, text, retry }: Heard): unknown {
  if (status === 204) return undefined;
  const answer = parsed(text);
  if (status >= 200 && status < 300 && answer !== undefined) return answer;
  throw new Refusal(status, codeIn(answer), retryTime(retry));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const codeIn = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string'
    ? problem.code
    : '';

/** RFC 9110 §10.2.3, in seconds. */
const retryTime = (seconds: string | null): Date | null =>
  seconds !== null && /^\d{1,6}$/.test(seconds) ? new Date(Date.now() + Number(seconds) * 1000) : null;
