import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConsentedAccess } from '../../consent/access/record-access.ts';
import { SPECIFIED_TOOLS } from '../../../test/mcp/specified-tools.ts';
import { countTokens } from '../../../test/harness/tokens.ts';
import { MAX_RESULT_LENGTH } from './render/fit-length.ts';
import { InvalidToolInput, type ToolDeps } from './tool.ts';
import { TOOLS, TOOLS_BY_NAME } from './tools/tools.ts';

/** Never reached: arguments are checked first. */
const deps = {} as ToolDeps;
const access = {} as ConsentedAccess;

async function complaint(name: string, input: unknown): Promise<string> {
  const tool = TOOLS_BY_NAME.get(name);
  assert.ok(tool);
  const error: unknown = await tool.run(deps, access, input).then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(error instanceof InvalidToolInput, String(error));
  return error.message;
}

describe('arguments that the database cannot hold', () => {
  it('are refused with a sentence that names them, in every tool (case 338)', async () => {
    for (const [name, input, path] of [
      ['get_labs', { tests: ['a\u0000'] }, 'tests[0]'],
      ['search_clinical_notes', { encounterId: 'a\u0000b' }, 'encounterId'],
      ['search', { query: 'a\ud800' }, 'query'],
    ] as const)
      assert.match(
        await complaint(name, input),
        new RegExp(`^${name}: ${RegExp.escape(path)} must not hold`),
      );
  });
});

describe('the list of tools', () => {
  it('holds the tools of the specification, in its order', () => {
    assert.deepEqual(
      TOOLS.map(({ name }) => name),
      SPECIFIED_TOOLS.map(({ name }) => name),
    );
    assert.equal(TOOLS_BY_NAME.get('constructor'), undefined);
  });

  it('annotates every tool as read-only', () => {
    for (const { title, annotations } of TOOLS) {
      assert.ok(title);
      assert.deepEqual(annotations, {
        readOnlyHint: true,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });

  it('closes every input schema and uses keywords that every client knows', () => {
    const known = new Set([
      'type',
      'properties',
      'required',
      'additionalProperties',
      'description',
      'default',
      'exclusiveMinimum',
      'maximum',
      'minimum',
      'pattern',
      'maxLength',
      'minLength',
      'minItems',
      'maxItems',
      'items',
      'enum',
    ]);
    const keywords = (schema: object): string[] =>
      Object.entries(schema).flatMap(([key, value]) => {
        if (key === 'properties')
          return [key, ...Object.values(value as object).flatMap((each) => keywords(each as object))];
        return key === 'items' ? [key, ...keywords(value as object)] : [key];
      });
    for (const { name, inputSchema } of TOOLS) {
      assert.equal(inputSchema.type, 'object');
      assert.equal(inputSchema.additionalProperties, false);
      assert.deepEqual(
        keywords(inputSchema).filter((keyword) => !known.has(keyword)),
        [],
        name,
      );
      for (const property of Object.values(inputSchema.properties))
        assert.ok((property as { description?: string }).description, name);
    }
  });

  it('costs an agent at most 2,500 tokens', () => {
    const listed = TOOLS.map(({ name, title, description, inputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations,
      _meta: { 'anthropic/maxResultSizeChars': MAX_RESULT_LENGTH },
    }));
    const tokens = countTokens(JSON.stringify({ tools: listed }));
    assert.ok(tokens <= 2500, `${tokens} tokens`);
  });

  it('describes shared arguments alike', () => {
    const { properties, required } = TOOLS_BY_NAME.get('get_procedures')?.inputSchema ?? {};
    assert.deepEqual(properties, TOOLS_BY_NAME.get('get_visits')?.inputSchema.properties);
    assert.deepEqual(Object.keys(properties ?? {}), ['years', 'beforeDate']);
    assert.equal(required, undefined);
    assert.deepEqual(TOOLS_BY_NAME.get('search')?.inputSchema.required, ['query']);
  });
});

describe('invalid arguments of a tool', () => {
  it('are named in the message, with what to change', async () => {
    assert.equal(
      await complaint('get_labs', { years: '3' }),
      'get_labs: years must be a number above 0 and at most 150, such as 3 or 0.5',
    );
    assert.equal(
      await complaint('get_labs', { beforeDate: '2023-02-30' }),
      'get_labs: beforeDate must be a day of the calendar after 0001-01-01 written YYYY-MM-DD, such as 2023-04-05',
    );
    assert.equal(
      await complaint('get_vitals', { vitals: ['Pulse'] }),
      'get_vitals: vitals must be a list of these names: Blood Pressure, Heart Rate, Body Temperature, Respiratory Rate, Oxygen Saturation, Weight, Height, Body Mass Index',
    );
    assert.equal(await complaint('search', {}), 'search: query must be a text of 1 to 1000 characters');
    assert.equal(
      await complaint('search', { query: ' ' }),
      'search: query must be a text of 1 to 1000 characters',
    );
    assert.equal(
      await complaint('search', { query: 'x'.repeat(1001) }),
      'search: query must be a text of 1 to 1000 characters',
    );
  });

  it('are named when they are unknown', async () => {
    assert.equal(
      await complaint('get_labs', { limit: 5 }),
      `get_labs: there is no argument "limit"; its arguments are ${SPECIFIED_TOOLS.find(({ name }) => name === 'get_labs')?.arguments.join(', ')}`,
    );
    assert.equal(
      await complaint('get_health_summary', { years: 3 }),
      'get_health_summary: there is no argument "years"; it takes no arguments',
    );
    assert.equal(await complaint('get_labs', []), 'get_labs: arguments must be an object');
  });

  it('are reported together', async () => {
    assert.match(
      await complaint('get_labs', { years: 0, beforeDate: 1, x: 1 }),
      /years must.*; beforeDate must.*; there is no argument "x"/,
    );
  });

  it('are refused when both modes of search_clinical_notes are given, or neither', async () => {
    const tool = 'search_clinical_notes';
    assert.match(await complaint(tool, {}), /give query .* or encounterId/);
    assert.match(await complaint(tool, { query: '', encounterId: ' ' }), /give query .* or encounterId/);
    assert.match(await complaint(tool, { years: 3 }), /give query .* or encounterId/);
    assert.match(await complaint(tool, { query: 'x', encounterId: 'y' }), /not both/);
    assert.match(
      await complaint(tool, { encounterId: 'y', years: 3 }),
      /years and beforeDate belong to query/,
    );
    assert.match(
      await complaint(tool, { encounterId: 'y', beforeDate: '2020-01-01' }),
      /years and beforeDate belong to query/,
    );
  });
});
