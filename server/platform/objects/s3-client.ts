import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import type { Agent, Dispatcher } from 'undici';
import { ObjectStoreAway } from '../kernel/object-store-away.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { ObjectStoreConfig } from './config.ts';
import type { EncryptedContent } from './content-cipher.ts';

type Operation = 'put' | 'get' | 'head' | 'delete';

export interface ObjectStore {
  /** Resolves when the store has it for good, and has compared it with its hash. */
  put(key: string, content: EncryptedContent): Promise<void>;
  /** Resolves when the store has begun to answer. Throws `file_missing` where it has no such object. */
  get(key: string): Promise<Readable>;
  has(key: string): Promise<boolean>;
  /** Resolves too where there is no such object. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds. What is sent has a second more for each MiB of it. */
const DEADLINES = { connect: 3_000, answer: 15_000, silence: 30_000 } as const;

const MAX_ATTEMPTS = 3;
const RETRY_MS = 250;
const CONNECTIONS = 32;

/** As much of an answer is read as holds its code. */
const MAX_ERROR_BYTES = 8 * 1024;

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface ObjectStoreOptions {
  /** Called at the end of each request to the store. */
  onRequest?(operation: Operation, outcome: 'ok' | 'failed'): void;
}

/** Creates the client of an S3-compatible store: path style, Signature Version 4, each request bounded and repeated. */
export function createObjectStore(
  config: ObjectStoreConfig,
  { onRequest }: ObjectStoreOptions = {},
): ObjectStore {
  let agent: Promise<Agent> | undefined;
  const send = async (operation: Operation, key: string, content?: EncryptedContent) => {
    const dispatcher = await (agent ??= createAgent());
    const request = { config, dispatcher, operation, key, content };
    try {
      const answer = await retry(() => sendOnce(request));
      onRequest?.(operation, 'ok');
      return answer;
    } catch (error) {
      onRequest?.(operation, 'failed');
      throw error;
    }
  };
  /** Reads an answer to its end, which leaves the connection to others. */
  const finish = async (answer: Dispatcher.ResponseData | null): Promise<boolean> => {
    await answer?.body.dump();
    return answer !== null;
  };
  return {
    put: async (key, content) => void (await finish(await send('put', key, content))),
    async get(key) {
      const answer = await send('get', key);
      if (answer) return answer.body;
      throw new Refusal(410, 'file_missing', {
        detail: 'The file is not in the store of files any more.',
        reason: 'object store: an object is missing',
      });
    },
    has: async (key) => finish(await send('head', key)),
    remove: async (key) => void (await finish(await send('delete', key))),
    async close() {
      await (await agent)?.destroy();
    },
  };
}

/** All of undici takes a tenth of a second to load: only a process that sends has to. */
async function createAgent(): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({
    connections: CONNECTIONS,
    connect: { timeout: DEADLINES.connect },
    headersTimeout: 0,
    bodyTimeout: DEADLINES.silence,
  });
}

interface ObjectRequest {
  config: ObjectStoreConfig;
  dispatcher: Agent;
  operation: Operation;
  key: string;
  content: EncryptedContent | undefined;
}

/** Another attempt may succeed. */
class TransientFailure extends ObjectStoreAway {}

async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TransientFailure) || attempt === MAX_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * 2 ** attempt * Math.random()));
    }
  }
}

/** Sends one request. Returns null where there is no such object; throws for any other answer than what was asked for. */
async function sendOnce(request: ObjectRequest): Promise<Dispatcher.ResponseData | null> {
  const answer = await receive(request);
  const { statusCode } = answer;
  if (statusCode >= 200 && statusCode < 300) return answer;
  const code = await readErrorCode(answer.body);
  if (statusCode === 404 && request.operation !== 'put' && code !== 'NoSuchBucket') return null;
  const isTransient = statusCode >= 500 || statusCode === 429 || statusCode === 408;
  const Failure = isTransient ? TransientFailure : ObjectStoreAway;
  throw new Failure(`${request.operation} was answered with ${statusCode}${code === null ? '' : ` ${code}`}`);
}

async function receive({
  config,
  dispatcher,
  operation,
  key,
  content,
}: ObjectRequest): Promise<Dispatcher.ResponseData> {
  const method = operation.toUpperCase() as 'PUT' | 'GET' | 'HEAD' | 'DELETE';
  const signer = new AwsV4Signer({
    method,
    url: `${config.url}/${key}`,
    service: 's3',
    region: config.region,
    accessKeyId: config.accessKeyId,
    secretAccessKey: config.secretAccessKey,
    headers: { 'x-amz-content-sha256': content?.sha256 ?? EMPTY_SHA256 },
  });
  const { url, headers } = await signer.sign();
  const body = content?.open() ?? null;
  const ms = DEADLINES.answer + (content ? content.length / 1024 : 0);
  const controller = new AbortController();
  // Ends the wait for the answer, not its body, which may be read slowly.
  const timer = setTimeout(() => controller.abort(), ms);
  try {
    return await dispatcher.request({
      origin: url.origin,
      path: url.pathname,
      method,
      headers: {
        ...Object.fromEntries(headers),
        ...(content && { 'content-length': String(content.length) }),
      },
      body,
      signal: controller.signal,
    });
  } catch (error) {
    const { code = 'no connection' } = error as { code?: string };
    throw new TransientFailure(controller.signal.aborted ? 'no answer' : code);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the code of an error (`<Code>NoSuchBucket</Code>`), and nothing else of it: messages may quote keys. */
async function readErrorCode(body: Readable): Promise<string | null> {
  let text = '';
  try {
    for await (const chunk of body) {
      text += String(chunk);
      if (text.length > MAX_ERROR_BYTES) break;
    }
  } catch {
    return null;
  }
  return /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? null;
}
