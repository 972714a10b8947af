import fs from 'node:fs';
import { Session } from 'node:inspector/promises';

/** Which functions of the query files were called since; V8 counts them. */
export async function countCalls(): Promise<() => Promise<Set<string>>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    session.disconnect();
    const files = result.filter(({ url }) => url.endsWith('.sql.ts'));
    const called = files.flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => `${toModulePath(url)} ${functionName}`),
    );
    return new Set(called);
  };
}

const toModulePath = (url: string): string => url.slice(url.lastIndexOf('/server/') + 1);

/** Every exported function of a `*.sql.ts` whose statement names one of the tables, itself or by what it is built from. */
export function findFunctionsOn(tables: readonly string[]): string[] {
  const definitions = fs.globSync('server/**/*.sql.ts').flatMap(parseDefinitions);
  const list = tables.join('|');
  const named = new RegExp(
    `(?:\\b(?:from|join|into|update|using|null::)|\`)\\s*(?:${list})\\b|PATIENT_TABLES`,
  );
  const onTables = new Set(definitions.filter(({ text }) => named.test(text)).map(({ name }) => name));
  for (let before = -1; before < onTables.size;) {
    before = onTables.size;
    const uses = new RegExp(`\\b(${[...onTables].join('|')})\\(`);
    for (const { name, text } of definitions) if (uses.test(text)) onTables.add(name);
  }
  return definitions
    .filter(({ name, isExported, isFunction }) => isExported && isFunction && onTables.has(name))
    .map(({ file, name }) => `${file} ${name}`);
}

interface Definition {
  file: string;
  name: string;
  isExported: boolean;
  isFunction: boolean;
  text: string;
}

/** A definition begins at the margin and goes on as long as lines are indented or only close something. */
function parseDefinitions(file: string): Definition[] {
  const source = fs.readFileSync(file, 'utf8');
  const pattern =
    /^(export )?(?:const|function|async function) (\w+)(.*\n(?:[ \t)}>`].*\n|\n(?=[ \t)}>`]))*)/gm;
  return Array.from(source.matchAll(pattern), ([, exported, name = '', text = '']) => ({
    file,
    name,
    isExported: exported !== undefined,
    isFunction: /^[^`]*=>|^\s*[<(]/.test(text),
    text,
  }));
}
