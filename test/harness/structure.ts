import fs from 'node:fs';
import path from 'node:path';

/** The repository as data, for the tests that hold its structure. Paths are relative to the repository, with `/`. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Every `.ts` and `.tsx` file of the folders that belongs to the product: neither tests nor what a build made. */
export const listSourceFiles = (folders: readonly string[]): string[] =>
  listFiles(folders).filter((file) => !/\.test\.tsx?$/.test(file));

/** Every `.ts` and `.tsx` file of the folders. */
export const listFiles = (folders: readonly string[]): string[] =>
  folders
    .flatMap((folder) => fs.globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }))
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
    .sort();

export const readSource = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');

/** The module specifiers of a file's imports, static and dynamic, as they are written. */
export const listSpecifiers = (file: string): string[] =>
  [...readSource(file).matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g)].map(
    ([, name]) => name as string,
  );

/** The files of the repository that a file imports. */
export const listImports = (file: string): string[] =>
  listSpecifiers(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.posix.normalize(path.posix.join(path.posix.dirname(file), name)));

/** Groups of files that import each other in a circle: the strongly connected components of more than one file (Tarjan). */
export function findCycles(files: readonly string[]): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    lowest.set(file, index);
    stack.push(file);
    for (const imported of listImports(file)) {
      if (!files.includes(imported)) continue;
      const seen = order.get(imported);
      if (seen === undefined) lowest.set(file, Math.min(lowest.get(file) ?? index, visit(imported)));
      else if (stack.includes(imported)) lowest.set(file, Math.min(lowest.get(file) ?? index, seen));
    }
    if (lowest.get(file) === index) {
      const component = stack.splice(stack.lastIndexOf(file));
      if (component.length > 1) cycles.push(component);
    }
    return lowest.get(file) ?? index;
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return cycles;
}

export interface SourceText {
  /** The code without comments and without what stands in strings, templates and regular expressions. */
  code: string;
  comments: string[];
}

/** Separates code, comments and literals; a scanner for our own formatted code, not for any TypeScript. */
export function splitSource(text: string): SourceText {
  const parts =
    /(\/\*[^]*?\*\/|\/\/[^\n]*)|('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|((?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)|(`)|(\})|(\{)|[^]/g;
  const comments: string[] = [];
  /** For each template we are inside of: how many braces are open in its present `${…}`. */
  const templates: number[] = [];
  let code = '';
  let position = 0;
  const skipTemplateText = (): void => {
    for (; position < text.length; position++) {
      if (text[position] === '\\') position++;
      else if (text[position] === '`') {
        position++;
        return;
      } else if (text.startsWith('${', position)) {
        position += 2;
        templates.push(0);
        return;
      }
    }
  };
  while (position < text.length) {
    parts.lastIndex = position;
    const [all = '', comment, string, regex, backtick, closing, opening] = parts.exec(text) ?? [];
    position += Math.max(all.length, 1);
    const open = templates.length - 1;
    if (comment !== undefined) comments.push(comment);
    else if (string !== undefined || regex !== undefined) code += "''";
    else if (backtick !== undefined) skipTemplateText();
    else if (closing !== undefined && templates[open] === 0) {
      templates.pop();
      code += ' ';
      skipTemplateText();
    } else {
      if (open >= 0 && closing !== undefined) templates[open] = (templates[open] ?? 0) - 1;
      if (open >= 0 && opening !== undefined) templates[open] = (templates[open] ?? 0) + 1;
      code += all;
    }
  }
  return { code, comments };
}

/** The modules in a line, foundations first: each may import only those before it. */
export const MODULES: readonly string[] = [
  'contract',
  'documents',
  'server/platform/kernel',
  'server/platform/processes',
  'server/platform/telemetry',
  'server/platform/db',
  'server/platform/backup',
  'server/platform/jobs',
  'server/platform/usage',
  'server/platform/attention',
  'server/platform/http',
  'server/platform/outbound',
  'server/platform/keys',
  'server/platform/mail',
  'server/platform/objects',
  'server/platform/audit',
  'server/identity/tokens',
  'server/identity/organizations',
  'server/identity/patients',
  'server/identity/accounts',
  'server/identity/members',
  'server/consent/grants',
  'server/consent/access',
  'server/consent/decisions',
  'server/consent/records',
  'server/consent/receipts',
  'server/consent/evidence',
  'server/clinical/store',
  'server/clinical/concepts',
  'server/clinical/entries',
  'server/clinical/labels',
  'server/clinical/linkage',
  'server/clinical/queries',
  'server/clinical/search',
  'server/clinical/ingest/import',
  'server/clinical/ingest/archive',
  'server/clinical/ingest/readers',
  'server/clinical/ingest/originals',
  'server/clinical/ingest/persons',
  'server/clinical/ingest/batches',
  'server/clinical/sources',
  'server/surfaces/oauth',
  'server/surfaces/enrollment',
  'server/surfaces/mcp',
  'server/surfaces/fhir',
  'server/surfaces/webhooks',
  'server/surfaces/portal',
  'server/surfaces/patients',
  'server/surfaces/docs',
  'server/surfaces/insights',
  'server/surfaces/doctor',
];

/** The module a file belongs to; null for the files that put modules together: those of `server/` and of a wing's own folder. */
export const findModule = (file: string): string | null =>
  MODULES.find((module) => file.startsWith(`${module}/`)) ?? null;

/** `server/clinical/store` stands in `server/clinical`. */
export const getWing = (module: string): string => module.split('/').slice(0, 2).join('/');
