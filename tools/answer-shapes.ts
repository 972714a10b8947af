import { z } from 'zod';
import type { EndpointDefinition } from '../contract/endpoint.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import type { AnswerShape } from '../web/kit/http/complete-answer.ts';

interface Schema {
  $ref?: string;
  $defs?: Readonly<Record<string, Schema>>;
  type?: string;
  format?: string;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  const?: string | number | boolean;
}

/** What stands for a text that is missing, where not any text can be read. */
const EMPTY_TEXTS: Readonly<Record<string, string>> = {
  'date-time': '1970-01-01T00:00:00.000Z',
  date: '1970-01-01',
};

const EMPTY_VALUES: Readonly<Record<string, AnswerShape>> = { boolean: false, integer: 0, number: 0 };

/** A schema may hold itself, such as a tree does: below this depth nothing is completed. */
const MAX_DEPTH = 12;

function toShape(schema: Schema, definitions: Readonly<Record<string, Schema>>, depth = 0): AnswerShape {
  const next = (inner: Schema): AnswerShape => toShape(inner, definitions, depth + 1);
  const definition = definitions[schema.$ref?.split('/').at(-1) ?? ''];
  if (depth > MAX_DEPTH) return null;
  if (definition) return next(definition);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) {
    const [first, ...more] = options.filter(({ type }) => type !== 'null');
    const isNullable = options.some(({ type }) => type === 'null');
    if (first === undefined) return null;
    const inner = next(first);
    const isStructure = typeof inner === 'object' && inner !== null;
    // Which of several there is, nobody knows: it stays as it is, and the first one stands for what is missing.
    if (more.length > 0) return isNullable ? null : isStructure ? [inner, 1] : inner;
    return isNullable ? (isStructure ? [inner, 0] : null) : inner;
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.type === 'array') return [next(schema.items ?? {})];
  if (schema.type === 'object') {
    const fields = (schema.required ?? []).flatMap((name) => {
      const field = schema.properties?.[name] ?? schema.additionalProperties;
      return typeof field === 'object' ? [[name, next(field)] as const] : [];
    });
    return Object.fromEntries(fields);
  }
  if (schema.type === 'string') return EMPTY_TEXTS[schema.format ?? ''] ?? '';
  return EMPTY_VALUES[schema.type ?? ''] ?? null;
}

/** Returns the shapes of what a page reads, by method and path. */
export function buildAnswerShapes(
  isRead: (endpoint: EndpointDefinition) => boolean,
): Readonly<Record<string, AnswerShape>> {
  const shapes = ENDPOINTS.filter((endpoint) => endpoint.method === 'GET' && isRead(endpoint)).map(
    ({ method, path, response }) => {
      const schema = z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }) as Schema;
      return [`${method} ${path}`, toShape(schema, schema.$defs ?? {})] as const;
    },
  );
  return Object.fromEntries(shapes.filter(([, shape]) => typeof shape === 'object' && shape !== null));
}

const MODULE = 'virtual:answer-shapes';

/** A plugin of Vite: the module `virtual:answer-shapes` holds the shapes of what a page reads, and no schema besides. */
export const serveAnswerShapes = (isRead: (endpoint: EndpointDefinition) => boolean) => ({
  name: 'answer-shapes',
  resolveId: (id: string) => (id === MODULE ? `\0${MODULE}` : undefined),
  load: (id: string) =>
    id === `\0${MODULE}` ? `export default ${JSON.stringify(buildAnswerShapes(isRead))}` : undefined,
});
