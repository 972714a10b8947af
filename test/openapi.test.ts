import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { openApiDocument } from '../contract/openapi.ts';

type Json = Record<string, unknown>;

const FILE = new URL('../docs/openapi.json', import.meta.url);
const document = JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS))) as Json & {
  paths: Record<
    string,
    Record<string, { operationId: string; parameters: { name: string; in: string }[]; responses: Json }>
  >;
};

/** Every object anywhere in the document. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

function targetOf(pointer: string): unknown {
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
      references.filter((reference) => targetOf(reference) === undefined),
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

  it('lists components that something uses', () => {
    const used = new Set([...objectsIn(document)].map(({ $ref }) => $ref));
    const components = Object.keys((document['components'] as { schemas: Json }).schemas);
    assert.deepEqual(
      components.filter((name) => !used.has(`#/components/schemas/${name}`)),
      [],
    );
  });
});
