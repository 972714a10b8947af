import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TOOLS } from '../../../../server/surfaces/mcp/tools/tools.ts';
import { SPECIFIED_TOOLS } from '../../../../test/mcp/specified-tools.ts';
import { listFields, parseInput, readFields, type ToolSchema, writeFields } from './schema-fields.ts';

const findSchema = (name: string): ToolSchema =>
  TOOLS.find((tool) => tool.name === name)?.inputSchema as unknown as ToolSchema;

describe('the form of a tool', () => {
  it('has a field of its own kind for every argument of every tool', () => {
    for (const { name, arguments: names, required = [] } of SPECIFIED_TOOLS) {
      const fields = listFields(findSchema(name));
      assert.deepEqual(
        fields.map((field) => field.name),
        [...names],
        name,
      );
      assert.deepEqual(
        fields.filter(({ isRequired }) => isRequired).map((field) => field.name),
        [...required],
        name,
      );
      assert.deepEqual(
        fields.filter(({ kind }) => kind === 'json'),
        [],
        `${name} has an argument that is written as JSON`,
      );
    }
    const kinds = new Map(listFields(findSchema('get_labs')).map(({ name, kind }) => [name, kind]));
    for (const [name, kind] of [
      ['years', 'number'],
      ['beforeDate', 'text'],
      ['tests', 'lines'],
    ] as const)
      assert.equal(kinds.get(name), kind);
    const [, chosen] = listFields(findSchema('search'));
    assert.equal(chosen?.kind, 'choices');
    assert.ok(chosen.options.includes('medication'));
    const [years] = listFields(findSchema('get_conditions'));
    assert.equal(years?.fallback, '3');
  });

  it('reads what was entered as the service takes it, and leaves out what is empty', () => {
    const fields = listFields(findSchema('get_labs'));
    const texts = { years: ' 0,5 ', beforeDate: '', tests: 'A1c\n\n 2160-0 ' };
    assert.deepEqual(readFields(fields, texts), {
      input: { years: 0.5, tests: ['A1c', '2160-0'] },
      faults: [],
    });
  });

  it('names what is required and empty, and what is no number or no JSON', () => {
    const fields = listFields({
      properties: {
        query: { type: 'string' },
        years: { type: 'number' },
        isShort: { type: 'boolean' },
        other: { type: 'object' },
      },
      required: ['query'],
    });
    assert.deepEqual(
      fields.map(({ kind }) => kind),
      ['text', 'number', 'yes', 'json'],
    );
    const { input, faults } = readFields(fields, { query: ' ', years: 'many', isShort: 'true', other: '{' });
    assert.deepEqual([input, faults], [{ isShort: true }, ['query', 'years', 'other']]);
  });

  it('shows the arguments of an address again, and nothing of what is none', () => {
    const fields = listFields(findSchema('get_labs'));
    const input = { years: 2, tests: ['A1c', '2160-0'] };
    const texts = writeFields(fields, parseInput(JSON.stringify({ ...input, constructor: 'x' })));
    assert.deepEqual(texts, { years: '2', tests: 'A1c\n2160-0' });
    assert.deepEqual(readFields(fields, texts).input, input);
    for (const text of ['{', '7', 'null', '[1]', undefined])
      assert.deepEqual(writeFields(fields, parseInput(text)), {});
  });
});
