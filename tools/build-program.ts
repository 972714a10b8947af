import http from 'node:http';
import path from 'node:path';
import { build, type Plugin } from 'rolldown';

/**
 * Builds the program that `npm start` runs, with its dependencies, into the folder that is named, which must lie beside the
 * sources: a start reads some dozen files instead of 2,000, in a third of the CPU time. The sources run as they are, too.
 */

const ROOT = path.resolve(import.meta.dirname, '..');

/** What is run by its path: the command line, its threads and its processes. Built beside each other, under these names. */
const ENTRIES: Readonly<Record<string, string>> = {
  chartgate: 'cli/main.ts',
  'import-thread': 'server/import-thread.ts',
  'embedded-worker': 'server/platform/db/embedded-worker.ts',
  'create-embedded-process': 'server/platform/db/create-embedded-process.ts',
  'page-worker': 'server/clinical/sources/page-worker.ts',
  converters: 'documents/converters.ts',
  'document-process': 'documents/sandbox/document-process.ts',
  'watch-process': 'documents/sandbox/watch-process.ts',
};

/** Dependencies that find files of their own beside themselves. */
const EXTERNAL = [/^@electric-sql\/pglite/, 'argon2', 'pino', 'unpdf', 'pg-native'];

/**
 * A source that names a file beside itself names it there when it is built, too (migrations, vocabulary, pages); what is run
 * is found among what was built.
 */
const nameFiles: Plugin = {
  name: 'name-files',
  transform: {
    filter: { id: /^(?!.*node_modules).*\.ts$/, code: 'import.meta' },
    handler(code, id) {
      const file = path.relative(ROOT, id);
      const named = code
        .replaceAll(/new URL\('\.[^']*\/([\w-]+)\.ts', import\.meta\.url\)/g, (_text, name: string) => {
          if (!Object.hasOwn(ENTRIES, name)) throw new Error(`${file} runs ${name}.ts, which is not built`);
          return `new URL('./${name}.js', import.meta['url'])`;
        })
        .replaceAll('import.meta.url', `new URL('../${file}', import.meta['url']).href`)
        .replaceAll('import.meta.dirname', `(import.meta['dirname'] + '/../${path.dirname(file)}')`)
        .replaceAll(/import\.meta\['(\w+)'\]/g, 'import.meta.$1');
      return named;
    },
  },
};

/**
 * The bundler takes these functions for pure: a call whose result nobody uses is left out, and its error with it. So nobody
 * may call one for the error alone; server/platform/kernel/decode-uri.ts returns whether there was one.
 */
const refuseCallsForErrors: Plugin = {
  name: 'refuse-calls-for-errors',
  transform: {
    filter: { code: 'codeURI' },
    handler(code, id) {
      const call = /^\s*(?:void )?((?:en|de)codeURI(?:Component)?)\(.*\);$/m.exec(code);
      if (call) throw new Error(`${path.relative(ROOT, id)} calls ${call[1]} for its error alone`);
      return null;
    },
  },
};

const HTTP = 'chartgate:http';

/**
 * Node reads every export of a built-in module that is imported, and some of `node:http` are of its own client for HTTP, which
 * is loaded for that: 5 MB and a tenth of a start, for what nothing here uses.
 */
const importHttpLazily: Plugin = {
  name: 'import-http-lazily',
  resolveId: {
    filter: { id: /^(?:node:)?http$/ },
    handler: (_source, _importer, { kind }) => (kind === 'import-statement' ? HTTP : null),
  },
  load: {
    filter: { id: /^chartgate:http$/ },
    handler: () => {
      const names = Object.keys(http).filter((name) => !/^(?:WebSocket|CloseEvent|MessageEvent)$/.test(name));
      return `const http = process.getBuiltinModule('node:http');
        export default http;
        export const { ${names.join(', ')} } = http;`;
    },
  },
};

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** An escape that is there stays as it is; a backslash before any other character means that character. */
const spellInAscii = (code: string): string =>
  code.replaceAll(/\\\p{ASCII}|\\?(\P{ASCII})/gu, (text, other: string | undefined) =>
    other === undefined ? text : other.split('').map(escapeUnit).join(''),
  );

/** Node keeps a source in two bytes a character for a single one beyond ASCII. The texts of our `String.raw` are expressions. */
const keepInOneByte: Plugin = {
  name: 'keep-in-one-byte',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = spellInAscii(file.code);
  },
};

/**
 * The router compiles a function for each of its 2,000 prefixes, each with a source of its own: 2 MB and a twentieth of a second
 * of a start. What they compare `startsWith` compares as well.
 */
const comparePrefixes: Plugin = {
  name: 'compare-prefixes',
  transform: {
    filter: { id: /find-my-way\/lib\/node\.js$/ },
    handler(code) {
      const compared = code.replace(
        /return new Function\('path', 'i', .*\)/,
        () => 'return (path, i) => path.startsWith(prefix, i)',
      );
      if (compared === code) throw new Error('find-my-way compares prefixes in another way');
      return compared;
    },
  },
};

const [, , folder = ''] = process.argv;
await build({
  cwd: ROOT,
  input: { ...ENTRIES },
  platform: 'node',
  external: EXTERNAL,
  plugins: [nameFiles, refuseCallsForErrors, importHttpLazily, comparePrefixes, keepInOneByte],
  output: {
    dir: folder,
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  },
});
