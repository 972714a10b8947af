import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversion, Converter, Converters } from '../../documents/converter.ts';
import { DocumentError } from '../../documents/converter.ts';

/** Documents that do what they say: the first word of the text is what happens to whoever reads it. */
const scriptedConverter: Converter = async ({ bytes, documentId }) => {
  const [word = '', ...rest] = bytes.toString('utf8', 0, 100).trim().split(' ');
  const behave = BEHAVIORS.get(word);
  if (behave) return behave(Number(rest[0]));
  return {
    resources: [
      {
        text: JSON.stringify({
          resourceType: 'DocumentReference',
          id: documentId,
          status: 'current',
          description: `process ${process.pid}`,
          content: [{ attachment: { contentType: 'text/plain', data: bytes.toString('base64') } }],
        }),
        fullUrl: null,
        position: '',
      },
    ],
    notices: [],
  };
};

const PARAMETERS = JSON.stringify({
  resourceType: 'Parameters',
  parameter: [{ name: 'x', resource: { resourceType: 'Flag' } }],
});

const BEHAVIORS = new Map<string, (count: number) => Conversion | Promise<Conversion>>([
  [
    'loop',
    () => {
      for (;;);
    },
  ],
  ['wait', () => new Promise(() => {})],
  ['resource', () => ({ resources: [{ text: PARAMETERS, fullUrl: null, position: '' }], notices: [] })],
  ['objects', () => exhaustMemory((made) => made.push({ made: [made.length] }))],
  ['strings', () => exhaustMemory((made) => made.push(`${made.length}`.repeat(10_000)))],
  ['buffers', () => exhaustMemory((made) => made.push(Buffer.alloc(1024 * 1024, made.length)))],
  [
    'doubled',
    () => {
      let text = 'x';
      for (;;) text = [text, text].join('');
    },
  ],
  [
    'throw',
    () => {
      throw new TypeError('the words of a document');
    },
  ],
  ['readFile', () => (readFileSync('/etc/hostname'), throwUnreadable('read'))],
  ['writeFile', () => (writeFileSync('/tmp/chartgate-test-hostile', ''), throwUnreadable('written'))],
  ['environment', () => throwUnreadable(Object.keys(process.env).length === 0 ? 'nothing' : 'something')],
  ['refuse', () => Promise.reject(new DocumentError('no_words', 'The document has no words.'))],
  ['later', () => (setTimeout(() => throwUncaught()), new Promise(() => {}))],
  ['exit', () => process.exit(0)],
  ['deep', (count) => recurse(count)],
  ['sleep', async (ms) => (await sleep(ms), { resources: [], notices: [] })],
  ['many', (count) => ({ resources: Array.from({ length: count }, () => PATIENT), notices: [] })],
  [
    'notices',
    (count) => ({
      resources: [PATIENT],
      notices: Array.from({ length: count }, (_, at) => ({
        position: `section[${at}]`,
        code: 'odd',
        message: 'A section that is odd.',
      })),
    }),
  ],
  ['markup', () => ({ resources: [{ ...PATIENT, text: MARKUP, position: 'section[1]' }], notices: [] })],
]);

const throwUnreadable = (code: string): never => {
  throw new DocumentError(code, 'The document did what it should not.');
};

const PATIENT = { text: '{"resourceType":"Patient","id":"p"}', fullUrl: null, position: '' };
const MARKUP =
  '{"resourceType":"Patient","id":"p","text":{"status":"generated","div":"<div><script>1</script></div>"}}';

function exhaustMemory(step: (made: unknown[]) => void): never {
  for (const made: unknown[] = []; ;) step(made);
}

const throwUncaught = (): never => {
  throw new Error('the words of a document');
};

const recurse = (count: number): Conversion =>
  count === 0 ? { resources: [], notices: [] } : { ...recurse(count - 1), notices: [] };

const load = async (): Promise<Converter> => scriptedConverter;

export const converters: Converters = {
  ccda: load,
  'fhir-xml': load,
  pdf: load,
  rtf: load,
  html: load,
  text: load,
};
