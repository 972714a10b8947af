import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { takesMember } from '../contract/endpoint.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { buildOpenApiDocument } from '../contract/openapi/openapi.ts';
import {
  buildEnvelopeSchema,
  EVENT_TYPES,
  EventType,
  buildExampleEnvelope,
} from '../contract/webhooks/webhook-events.ts';
import { generateEventId } from '../server/surfaces/webhooks/events/event-id.ts';
import { generateWebhookSecret } from '../server/surfaces/webhooks/signing.ts';
import { buildSignedHeaders } from '../server/surfaces/webhooks/signing.ts';

type Json = Record<string, unknown>;

const FILE = new URL('../docs/openapi.json', import.meta.url);
const document = JSON.parse(JSON.stringify(buildOpenApiDocument(ENDPOINTS))) as Json & {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Delivery }>;
};

interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  responses: Json;
  security?: Record<string, []>[];
}

interface Delivery {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: { pattern: string } }[];
  requestBody: { content: { 'application/json': { schema: Json; example: Json } } };
  responses: Record<string, { description: string }>;
}

/** Every object anywhere in the document. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

function resolvePointer(pointer: string): unknown {
  const parts = pointer.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>(
    (at, part) => (at as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

describe('the OpenAPI document', () => {
  it('is the one that is committed', () => {
    const committed: unknown = fs.existsSync(FILE) ? JSON.parse(fs.readFileSync(FILE, 'utf8')) : null;
    assert.deepEqual(committed, document, 'docs/openapi.json is stale: run npm run docs');
  });

  it('has no reference that leads nowhere', () => {
    const references = [...objectsIn(document)].flatMap(({ $ref }) =>
      typeof $ref === 'string' ? [$ref] : [],
    );
    assert.ok(references.length > 0);
    assert.deepEqual(
      references.filter((reference) => resolvePointer(reference) === undefined),
      [],
    );
  });

  it('names every operation once', () => {
    const names = operations.map(({ operationId }) => operationId);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(names.sort(), ENDPOINTS.map(({ name }) => name).sort());
  });

  it('describes every name of a path, and nothing of a path that is not there', () => {
    for (const { path, parameters } of operations) {
      const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      assert.deepEqual(
        named,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        path,
      );
    }
  });

  it('gives every answer a status of three digits and a description', () => {
    for (const { path, responses } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        assert.match(status, /^[2-5]\d\d$/, path);
        assert.equal(typeof (response as Json)['description'], 'string', `${path} ${status}`);
      }
    }
  });

  it('says what is refused of any call: a parameter that nobody knows, a body that cannot be read', () => {
    for (const { path, method, responses } of operations) {
      if (path.startsWith('/v1/') && method === 'get') assert.ok('400' in responses, path);
      if (method !== 'get')
        for (const status of ['400', '413', '415'])
          assert.ok(status in responses, `${method} ${path} ${status}`);
    }
  });

  it('says which token, session and CSRF token every endpoint needs', () => {
    const schemes = new Set(
      Object.keys((document['components'] as { securitySchemes: Json }).securitySchemes),
    );
    for (const endpoint of ENDPOINTS) {
      const { audience, page, method, name } = endpoint;
      const { security = [], responses } = operations.find(({ operationId }) => operationId === name)!;
      const used = security.map((requirement) => Object.keys(requirement));
      assert.ok(used.flat().every((scheme) => schemes.has(scheme)));
      const isOpen = audience.includes('anyone');
      const isMembers = takesMember(endpoint);
      const hasSession = audience.includes('patient-session') || audience.includes('member');
      const isChange = method !== 'GET';
      const needsCsrf = page !== undefined && isChange;
      assert.equal(used.flat().includes('session'), audience.includes('patient-session'), name);
      assert.equal(used.flat().includes('console'), audience.includes('member') || isMembers, name);
      assert.equal(used.flat().includes('bearer'), !isOpen && !hasSession, name);
      // A bearer token needs no proof, a cookie that stands for it does.
      const withCookies = used.filter((schemes) => !schemes.includes('bearer'));
      assert.equal(
        withCookies.length > 0 &&
          withCookies.every((schemes) => schemes.includes('csrf') && schemes.includes('browser')),
        needsCsrf || (isMembers && isChange),
        name,
      );
      if (!isOpen) assert.ok('401' in responses, name);
      if (needsCsrf || (!isOpen && !hasSession)) assert.ok('403' in responses, name);
    }
  });

  it('has no error by the rules of redocly', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['node_modules/@redocly/cli/bin/cli.js', 'lint', fileURLToPath(FILE), '--format=stylish'],
      { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off' } },
    );
    assert.equal(status, 0, stdout + stderr);
  });

  it('lists components that something uses', () => {
    const used = new Set([...objectsIn(document)].map(({ $ref }) => $ref));
    const components = Object.keys((document['components'] as { schemas: Json }).schemas);
    assert.deepEqual(
      components.filter((name) => !used.has(`#/components/schemas/${name}`)),
      [],
    );
  });
});

describe('the webhooks of the OpenAPI document', () => {
  const deliveries = Object.entries(document.webhooks).map(([type, { post }]) => ({ type, ...post }));

  it('are the types of events, each with a name that no other operation has', () => {
    assert.deepEqual(
      deliveries.map(({ type }) => type),
      EventType.options,
    );
    const names = [...deliveries, ...operations].map(({ operationId }) => operationId);
    assert.equal(new Set(names).size, names.length);
  });

  it('give examples that their schemas accept', () => {
    for (const { type, requestBody } of deliveries) {
      const known = EventType.parse(type);
      const { schema, example } = requestBody.content['application/json'];
      assert.deepEqual(example, buildExampleEnvelope(known));
      assert.deepEqual(buildEnvelopeSchema(known, EVENT_TYPES[known].data).parse(example), example);
      assert.deepEqual(createSchema(schema).parse(example), example);
      const { data: _, ...incomplete } = example;
      assert.equal(createSchema(schema).safeParse(incomplete).success, false);
      const other = { ...example, data: { ...(example['data'] as Json), patientId: 1, nonce: 1 } };
      assert.equal(createSchema(schema).safeParse(other).success, false);
    }
  });

  it('name the headers that deliveries have, as they are', () => {
    const body = JSON.stringify(buildExampleEnvelope('webhook.test'));
    const id = generateEventId(new Date());
    const sent = buildSignedHeaders([generateWebhookSecret(), generateWebhookSecret()], {
      id,
      body,
      at: new Date(),
    });
    for (const { parameters } of deliveries) {
      assert.deepEqual(
        ['content-type', ...parameters.map(({ name }) => name)].sort(),
        Object.keys(sent).sort(),
      );
      for (const { name, in: place, required, schema } of parameters) {
        assert.deepEqual([place, required], ['header', true]);
        assert.match(sent[name as keyof typeof sent], new RegExp(schema.pattern));
      }
    }
  });

  it('say what an answer means', () => {
    for (const { responses } of deliveries) {
      assert.ok('2XX' in responses && '410' in responses && 'default' in responses);
      for (const [status, { description }] of Object.entries(responses)) {
        assert.match(status, /^(default|[2-5](XX|\d\d))$/);
        assert.notEqual(description, '');
      }
    }
  });
});

/** The schema as JSON Schema by itself, which zod reads. */
function createSchema(schema: Json): z.ZodType {
  const { schemas } = document['components'] as { schemas: Json };
  const whole = JSON.stringify({ ...schema, $defs: schemas });
  return z.fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as Json);
}
