import { escapeHtml, renderSentence } from '../html.ts';

/** A JSON Schema as the OpenAPI document holds it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

export const getRefName = (ref: string): string => ref.replace(/^.*\//, '');

/** Renders the type of a value in a line, with links to the types that have a name. */
export function renderType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = escapeHtml(getRefName(schema.$ref));
    return `<a href="/docs/api/types#${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum)
    return schema.enum.map((each) => `<code>${escapeHtml(JSON.stringify(each))}</code>`).join(' | ');
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return [...new Set(union.map(renderType))].join(' or ');
  if (schema.items) return `list of ${renderType(schema.items)}`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any'];
  return escapeHtml(`${types.join(' or ')}${schema.format === undefined ? '' : ` (${schema.format})`}`);
}

/** Renders the limits of a value, such as “1 to 100, at most 200 characters”. */
function renderLimits(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const range = (unit: string, from?: number, to?: number): string[] => {
    const upper = to !== undefined && to < Number.MAX_SAFE_INTEGER ? to : undefined;
    const lower = from !== undefined && from > Number.MIN_SAFE_INTEGER ? from : undefined;
    if (lower !== undefined && upper !== undefined) return [`${lower} to ${upper}${unit}`];
    if (upper !== undefined) return [`at most ${upper}${unit}`];
    return lower === undefined ? [] : [`at least ${lower}${unit}`];
  };
  const limits = [
    ...range('', minimum, maximum),
    ...range(' characters', minLength, maxLength),
    ...range(' items', minItems, maxItems),
    ...(schema.default === undefined
      ? []
      : [`default <code>${escapeHtml(JSON.stringify(schema.default))}</code>`]),
  ];
  return limits.length > 0 ? `<span class="soft small">${limits.join(', ')}</span>` : '';
}

/** Finds the objects that a schema holds without a name, whose properties have to be shown where they are. */
function findInner(schema: Schema): Schema[] {
  if (schema.$ref !== undefined) return [];
  if (schema.items) return findInner(schema.items);
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return union.flatMap(findInner);
  const others =
    typeof schema.additionalProperties === 'object' ? findInner(schema.additionalProperties) : [];
  return schema.properties && Object.keys(schema.properties).length > 0 ? [schema, ...others] : others;
}

/** Renders the properties of a schema, and those of its unnamed objects below them. */
export const renderProperties = (schema: Schema): string =>
  findInner(schema)
    .map(
      ({ properties = {}, required = [] }) =>
        `<dl class="api-fields">${Object.entries(properties)
          .map(([name, property]) => renderField(name, property, required.includes(name)))
          .join('')}</dl>`,
    )
    .join('<p class="small soft">or</p>');

export function renderField(name: string, schema: Schema, isRequired: boolean): string {
  const needed = isRequired ? '' : ' <span class="soft small">optional</span>';
  const description = schema.description === undefined ? '' : `<p>${renderSentence(schema.description)}</p>`;
  return `<dt><code>${escapeHtml(name)}</code> <span class="api-type">${renderType(schema)}</span>${needed}</dt><dd>${description}${renderLimits(schema)}${renderProperties(schema)}</dd>`;
}
