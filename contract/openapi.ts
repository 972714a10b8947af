import { z } from 'zod';
import { OperationOutcome } from './fhir.ts';
import { PATH_PARAMETERS, type EndpointDefinition } from './endpoint.ts';
import { EnrollmentEntry } from './enrollment.ts';
import { webhooksSection } from './openapi-webhooks.ts';
import { Problem } from './problem.ts';

type Json = Record<string, unknown>;

interface Components {
  [name: string]: Json;
}

/** The OpenAPI 3.1 document of a list of endpoints: written from the same values that validate and type them. */
export function openApiDocument(endpoints: readonly EndpointDefinition[]): Json {
  const components: Components = {};
  const schemaOf = (type: z.ZodType, io: 'input' | 'output'): Json => jsonSchema(type, io, components);
  schemaOf(Problem, 'output');
  schemaOf(EnrollmentEntry, 'input');
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, schemaOf);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chartgate',
      version: '1.0.0',
      description:
        "A patient's health record, read by an AI agent or a partner system only while the patient consents.",
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    webhooks: webhooksSection(schemaOf),
    components: {
      schemas: components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

type SchemaOf = (type: z.ZodType, io: 'input' | 'output') => Json;

function operation(endpoint: EndpointDefinition, schemaOf: SchemaOf): Json {
  const open = endpoint.audience.includes('anyone');
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(open ? {} : { security: [{ bearer: [] }], 'x-audience': endpoint.audience }),
    parameters: parameters(endpoint, schemaOf),
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.bodyOptional,
        content: { [endpoint.consumes ?? 'application/json']: { schema: schemaOf(endpoint.body, 'input') } },
      },
    }),
    responses: responses(endpoint, schemaOf),
  };
}

function parameters(endpoint: EndpointDefinition, schemaOf: SchemaOf): Json[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(PATH_PARAMETERS[name as keyof typeof PATH_PARAMETERS], 'input'),
  }));
  const query = endpoint.query ? schemaOf(endpoint.query, 'input') : {};
  const required = (query['required'] as string[] | undefined) ?? [];
  const inQuery = Object.entries((query['properties'] as Json | undefined) ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...inPath, ...inQuery];
}

const REFUSED: Record<number, string> = {
  400: 'The input is invalid',
  401: 'The token is missing, invalid or expired',
  403: 'The token does not permit this',
};

function responses(endpoint: EndpointDefinition, schemaOf: SchemaOf): Json {
  const takesInput =
    endpoint.body !== undefined || endpoint.query !== undefined || endpoint.path.includes('{');
  const usual = Object.entries(REFUSED).filter(([status]) =>
    status === '400' ? takesInput : !endpoint.audience.includes('anyone'),
  );
  const refusals = { ...Object.fromEntries(usual), ...endpoint.refusals };
  const success = endpoint.response instanceof z.ZodUndefined ? {} : content(endpoint, schemaOf);
  return {
    [String(endpoint.status ?? 200)]: { description: endpoint.summary, ...success },
    ...Object.fromEntries(
      Object.entries(refusals).map(([status, description]) => [
        status,
        { description, ...refusal(endpoint, Number(status), schemaOf) },
      ]),
    ),
  };
}

const content = (endpoint: EndpointDefinition, schemaOf: SchemaOf): Json => ({
  content: { [endpoint.produces ?? 'application/json']: { schema: schemaOf(endpoint.response, 'output') } },
});

function refusal(endpoint: EndpointDefinition, status: number, schemaOf: SchemaOf): Json {
  if (status < 300) return {};
  if (endpoint.dialect === 'oauth') {
    const properties = { error: { type: 'string' }, error_description: { type: 'string' } };
    const error = { type: 'object', properties, required: ['error', 'error_description'] };
    return { content: { 'application/json': { schema: error } } };
  }
  if (endpoint.dialect === 'mcp') {
    const error = { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] };
    return { content: { 'application/json': { schema: error } } };
  }
  if (endpoint.dialect === 'fhir')
    return { content: { 'application/fhir+json': { schema: schemaOf(OperationOutcome, 'output') } } };
  return { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };
}

/** JSON Schema 2020-12; types with a `meta({ id })` become components, once. */
function jsonSchema(type: z.ZodType, io: 'input' | 'output', components: Components): Json {
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties,
  }) as Json;
  for (const [name, definition] of Object.entries(($defs as Components | undefined) ?? {}))
    components[name] ??= componentOf(definition);
  const id = schema['id'] as string | undefined;
  if (id === undefined) return relink(schema);
  components[id] ??= componentOf(schema);
  return { $ref: `#/components/schemas/${id}` };
}

function componentOf({ id: _, ...schema }: Json): Json {
  return relink(schema);
}

/** `#/$defs/X` → `#/components/schemas/X`. */
const relink = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/')) as Json;
