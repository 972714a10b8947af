import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { buildProcessEnvironment, ROOT, type ExitResult } from './process.ts';

/** Configures a command (`audit verify`) as `cli/main.ts` does, in this process. */
export async function configureCommand(name: string): Promise<Command> {
  const [first = '', second] = name.split(' ');
  const source = fs.readFileSync(path.join(ROOT, 'cli/main.ts'), 'utf8');
  const entry = `name: '${first}',\\s+description: (['"])(.+)\\1,\\s+load: .*import\\('(.+)'\\)\\)\\.(\\w+),`;
  const [, , description = '', file = '', configure = ''] = new RegExp(entry).exec(source) ?? [];
  const command = new Command('chartgate').command(first).description(description);
  const module = (await import(path.join(ROOT, 'cli', file))) as Record<string, (command: Command) => void>;
  module[configure]?.(command);
  const found =
    second === undefined ? command : command.commands.find((sibling) => sibling.name() === second);
  assert.ok(found, `no command is called ${name}`);
  return found;
}

/**
 * Runs a command in this process, which costs a twentieth of a process of its own: for the answers to many arguments, once
 * a process (`runNode`) has shown that the command ends, and with which code.
 */
export async function runCommand(
  [name = '', ...args]: readonly string[],
  { cwd = ROOT, environment = {} }: { cwd?: string; environment?: Record<string, string> } = {},
): Promise<ExitResult> {
  const command = await configureCommand(name);
  const result: ExitResult = { code: 0, stdout: '', stderr: '' };
  const [env, directory, exitCode] = [process.env, process.cwd(), process.exitCode];
  const write = process.stdout.write.bind(process.stdout);
  process.env = { ...buildProcessEnvironment(), ...environment };
  process.chdir(cwd);
  // What the test runner reports meanwhile is bytes.
  process.stdout.write = (chunk: string | Uint8Array, ...more: []) =>
    typeof chunk === 'string' ? ((result.stdout += chunk), true) : write(chunk, ...more);
  try {
    await command.exitOverride().parseAsync(args, { from: 'user' });
    result.code = Number(process.exitCode ?? 0);
  } catch (error) {
    result.code = 1;
    result.stderr = `chartgate: ${(error as Error).message}\n`;
  } finally {
    process.stdout.write = write;
    process.chdir(directory);
    process.env = env;
    process.exitCode = exitCode;
  }
  return result;
}
