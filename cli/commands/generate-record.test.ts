import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { Command, CommanderError } from 'commander';
import { configureGenerateRecordCommand } from './generate-record.ts';

let folder: string;

describe('chartgate generate-record', () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chartgate-generate-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('writes the archive and prints one JSON object when asked', async (t) => {
    const file = join(folder, 'a.zip');
    const printed = await run(t, ['--seed', '1', '--years', '2', '--out', file, '--json']);
    assert.equal(printed.length, 1);
    const answer = JSON.parse(printed[0] ?? '');
    assert.deepEqual(Object.keys(answer), ['file', 'resources', 'bytes']);
    assert.equal(answer.bytes, (await stat(file)).size);
  });

  it('says in a sentence what it wrote', async (t) => {
    const file = join(folder, 'b.zip');
    const printed = await run(t, ['--seed', '1', '--years', '2', '--out', file, '--ends-on', '2026-11-20']);
    assert.match(printed.join('\n'), /^Wrote \d+ resources to .*b\.zip \(\d+ bytes\)\.$/);
  });

  for (const [option, value, message] of [
    ['--seed', '-1', /whole number/],
    ['--years', '0', /from 0\.5 to 70/],
    ['--ends-on', '2026-02-30', /YYYY-MM-DD/],
    ['--visits-per-year', 'many', /from 1 to 100/],
    ['--out', 'record.tar', /\.zip/],
  ] as const) {
    it(`refuses ${option} ${value} with exit code 1`, async (t) => {
      const given = { '--seed': '1', '--years': '2', '--out': join(folder, 'c.zip'), [option]: value };
      const flags = Object.entries(given).map(([name, text]) => `${name}=${text}`);
      await assert.rejects(run(t, flags), (error) => {
        assert.ok(error instanceof CommanderError);
        assert.equal(error.exitCode, 1);
        assert.match(error.message, message);
        return true;
      });
    });
  }
});

async function run(t: TestContext, flags: readonly string[]): Promise<string[]> {
  const printed = t.mock.method(console, 'log', () => undefined);
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  configureGenerateRecordCommand(program.command('generate-record'));
  await program.parseAsync(['generate-record', ...flags], { from: 'user' });
  return printed.mock.calls.map((call) => String((call.arguments as unknown[])[0]));
}
