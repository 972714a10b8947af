import { getRefName, type Schema } from './schema.ts';

export type Schemas = Readonly<Record<string, Schema>>;

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0199c1f0-6c2e-7b51-9d4e-2f8a8a3f4b10',
  uri: 'https://partner.example/webhooks',
  email: 'ana.ruiz@example.org',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
};

/** Builds a value of a schema, of its required properties alone, for an example call. */
export function buildExample(schema: Schema, schemas: Schemas): unknown {
  const { $ref, items, properties, required = [] } = schema;
  if ($ref !== undefined) return buildExample(schemas[getRefName($ref)] ?? {}, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const union = schema.anyOf ?? schema.oneOf;
  if (union?.[0]) return buildExample(union[0], schemas);
  if (items) return [buildExample(items, schemas)];
  if (properties) {
    const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
    return Object.fromEntries(names.map((name) => [name, buildExample(properties[name] ?? {}, schemas)]));
  }
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (schema.type === 'boolean') return true;
  if (schema.type === 'object') return {};
  return BY_FORMAT[schema.format ?? ''] ?? '…';
}
