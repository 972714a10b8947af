import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { convertDocument } from '../convert-document.ts';
import { DocumentError, type Converters } from '../converter.ts';
import { DOCUMENT_LIMITS } from '../document-limits.ts';
import { PIPE, readFrames, writeFrame, type ProcessData, type Reply, type Request } from './messages.ts';
import { MAX_TURNS } from './time-limit.ts';
import { extractDocumentText } from '../document-text.ts';

/** The process that reads documents, one after another. It may die over any of them. */

// A signal to the service reaches its whole process group; a document that is being read is read to its end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const { modules, memory, service } = JSON.parse(process.argv[2] ?? '{}') as ProcessData;
const { converters } = (await import(modules)) as { converters: Converters };

/** The deadline of the current document, in seconds since 1970; 0 while there is none. */
const deadline = new Int32Array(new SharedArrayBuffer(4));
new Worker(new URL('./watch-process.ts', import.meta.url), {
  workerData: { deadline, memory, service },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
}).unref();

async function handleRequest(request: Request, bytes: Buffer): Promise<Reply> {
  try {
    return request.task === 'text'
      ? await extractDocumentText(converters, bytes)
      : { conversion: await convertDocument(converters, { ...request, bytes }) };
  } catch (error) {
    return { unreadable: toErrorReply(error) };
  }
}

/** Hides an error that is not meant for the patient: its message may quote the document. */
function toErrorReply(error: unknown): { code: string; message: string } {
  if (error instanceof DocumentError) return { code: error.code, message: error.message };
  // A stack overflow: elements inside of elements, tens of thousands deep.
  return error instanceof RangeError && /call stack/.test(error.message)
    ? { code: 'document_too_complex', message: 'The document is nested too deep to be read.' }
    : { code: 'document_unreadable', message: 'The document could not be read.' };
}

const pipe = new Socket({ fd: PIPE });
const sendReply = (reply: Reply | 'ready'): void => writeFrame(pipe, Buffer.from(JSON.stringify(reply)));
sendReply('ready');
let request: Request | null = null;
for await (const frame of readFrames(pipe, DOCUMENT_LIMITS.documentBytes)) {
  if (request === null) {
    request = JSON.parse(frame.toString('utf8')) as Request;
    continue;
  }
  Atomics.store(deadline, 0, Math.ceil((Date.now() + MAX_TURNS * request.ms) / 1000));
  sendReply(await handleRequest(request, frame));
  Atomics.store(deadline, 0, 0);
  request = null;
}
// The pool closed the pipe.
process.exit();
