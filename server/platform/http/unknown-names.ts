import { distance } from 'fastest-levenshtein';
import { z } from 'zod';

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
}

interface NameFault {
  path: string;
  message: string;
}

/** Converted when a body is first checked: of all endpoints it would be a part of every start. */
const converted = new WeakMap<z.ZodType, Schema>();

/**
 * Finds members of a body that its type does not have: they would be dropped, and what they were to limit would be everything.
 * Of a closed body every such member; of another one those whose name is nearly known, such as `projectIDs`, since others may be
 * of a later version. Where it has no other members and is refused for that, they are the reason.
 */
export function findUnknownNames(type: z.ZodType, body: unknown, isClosed: boolean): NameFault[] {
  let schema = converted.get(type);
  if (!schema) {
    schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema;
    converted.set(type, schema);
  }
  const place = { schemas: [schema], definitions: schema.$defs ?? {}, path: '' };
  const faults = listFaults(body, { ...place, isClosed });
  if (isClosed || faults.length > 0 || typeof body !== 'object' || body === null) return faults;
  const all = listFaults(body, { ...place, isClosed: true });
  const unknown = new Set(all.map(({ path }) => path));
  const hasKnown = Object.keys(body).some((name) => !unknown.has(toPath(name)));
  return hasKnown || type.safeParse(body).success ? [] : all;
}

/** Never longer than what a person reads. */
const toPath = (path: string): string => path.slice(0, 100);

interface Place {
  /** Of which the value has one. */
  schemas: readonly Schema[];
  definitions: Readonly<Record<string, Schema>>;
  path: string;
  isClosed: boolean;
}

function listFaults(value: unknown, { schemas, path, ...rest }: Place): NameFault[] {
  if (typeof value !== 'object' || value === null) return [];
  const shapes = schemas.flatMap((schema) => listShapes(schema, rest.definitions));
  if (Array.isArray(value)) {
    const items = shapes.flatMap(({ items }) => items ?? []);
    return value.flatMap((item, index) =>
      listFaults(item, { ...rest, schemas: items, path: `${path}[${index}]` }),
    );
  }
  // What has no names of its own may have any, such as a map, or a part that is validated elsewhere.
  const takesAny =
    !shapes.some(({ properties }) => properties) ||
    shapes.some(({ additionalProperties: any }) => typeof any === 'object' || any === true);
  const names = shapes.flatMap(({ properties }) => Object.keys(properties ?? {}));
  return Object.entries(value).flatMap(([name, inner]) => {
    const innerPath = path === '' ? name : `${path}.${name}`;
    const known = shapes.flatMap(({ properties }) =>
      properties && Object.hasOwn(properties, name) ? (properties[name] as Schema) : [],
    );
    if (known.length > 0) return listFaults(inner, { ...rest, schemas: known, path: innerPath });
    if (takesAny) return [];
    const nearest = names.find((each) => isNearly(name, each));
    if (nearest === undefined && !rest.isClosed) return [];
    return [{ path: toPath(innerPath), message: describe(names, nearest) }];
  });
}

const describe = (names: readonly string[], nearest: string | undefined): string =>
  nearest === undefined
    ? `is not known here; what is: ${[...new Set(names)].join(', ')}`
    : `is no member of this body; "${nearest}" is`;

/** Lists what a schema may be, without references and unions. */
function listShapes(schema: Schema, definitions: Place['definitions']): Schema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const referred = $ref === undefined ? undefined : definitions[$ref.replace('#/$defs/', '')];
  const inner = [...(referred ? [referred] : []), ...anyOf, ...oneOf, ...allOf];
  return [schema, ...inner.flatMap((each) => listShapes(each, definitions))];
}

/** The same but for case, `-` and `_`, or a letter or two of a long name. */
function isNearly(name: string, known: string): boolean {
  const [one, other] = [name, known].map((each) => each.toLowerCase().replace(/[-_]/g, '')) as [
    string,
    string,
  ];
  if (Math.abs(one.length - other.length) > 2) return false;
  const tolerance = other.length >= 8 ? 2 : other.length >= 5 ? 1 : 0;
  return distance(one, other) <= tolerance;
}
