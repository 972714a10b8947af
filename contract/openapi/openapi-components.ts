import { z } from 'zod';

type Json = Record<string, unknown>;

type Direction = 'input' | 'output';

export type SchemaConverter = (type: z.ZodType, io: Direction) => Json;

interface Components {
  toSchema: SchemaConverter;
  /** Resolves which components differ as input: call it with all that holds references to them. */
  finish(document: Json): { document: Json; schemas: Record<string, Json> };
}

const PREFIX = '#/components/schemas/';

/** Marks a reference to a component as of a request, until it is known whether the component differs there. */
const INPUT_MARK = '@input';

const stripMarks = (json: string): string => json.replaceAll(INPUT_MARK, '');

/**
 * Creates what converts types to JSON Schema 2020-12, and collects those with a `meta({ id })` as components. A type whose fields have
 * defaults differs as input and as output: a client may leave them out, the service never does. Such a one is two components, the
 * second `…Input`.
 */
export function createComponents(): Components {
  const collected: Record<Direction, Map<string, Json>> = { input: new Map(), output: new Map() };

  function toSchema(type: z.ZodType, io: Direction): Json {
    const {
      $schema: _,
      $defs,
      ...schema
    } = z.toJSONSchema(type, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties,
    }) as Json;
    const definitions = Object.entries(($defs as Record<string, Json> | undefined) ?? {});
    for (const [name, { id: _id, ...definition }] of definitions) collect(io, name, definition);
    const { id, ...body } = schema;
    if (typeof id !== 'string') return rewriteRefs(schema, io);
    collect(io, id, body);
    return { $ref: `${PREFIX}${id}${io === 'input' ? INPUT_MARK : ''}` };
  }

  function collect(io: Direction, name: string, schema: Json): void {
    if (!collected[io].has(name)) collected[io].set(name, rewriteRefs(schema, io));
  }

  return {
    toSchema,
    finish(document) {
      const differing = findDiffering(collected);
      const resolve = <T>(value: T): T =>
        JSON.parse(
          JSON.stringify(value).replaceAll(
            new RegExp(`${PREFIX}([\\w.-]+)${INPUT_MARK}`, 'g'),
            (_match, name: string) => `${PREFIX}${name}${differing.has(name) ? 'Input' : ''}`,
          ),
        ) as T;
      const inputs = [...collected.input].filter(
        ([name]) => differing.has(name) || !collected.output.has(name),
      );
      const schemas = [
        ...collected.output,
        ...inputs.map(([name, schema]) => [differing.has(name) ? `${name}Input` : name, schema] as const),
      ];
      return { document: resolve(document), schemas: resolve(Object.fromEntries(schemas)) };
    },
  };
}

/** Finds the components that differ as input, by themselves or by what they refer to. */
function findDiffering({ input, output }: Record<Direction, ReadonlyMap<string, Json>>): ReadonlySet<string> {
  const shared = [...input].filter(([name]) => output.has(name));
  const differing = new Set(
    shared
      .filter(([name, schema]) => stripMarks(JSON.stringify(schema)) !== JSON.stringify(output.get(name)))
      .map(([name]) => name),
  );
  for (let size = -1; size !== differing.size;) {
    size = differing.size;
    for (const [name, schema] of shared) {
      const text = JSON.stringify(schema);
      if ([...differing].some((other) => text.includes(`"${PREFIX}${other}${INPUT_MARK}"`)))
        differing.add(name);
    }
  }
  return differing;
}

/** `#/$defs/X` → `#/components/schemas/X`. */
const rewriteRefs = (schema: Json, io: Direction): Json =>
  JSON.parse(
    JSON.stringify(schema).replaceAll(
      /"#\/\$defs\/([\w.-]+)"/g,
      (_match, name: string) => `"${PREFIX}${name}${io === 'input' ? INPUT_MARK : ''}"`,
    ),
  ) as Json;
