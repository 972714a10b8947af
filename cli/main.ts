import { Command } from 'commander';
import { ConfigurationError } from '../server/config.ts';
import { Refusal } from '../server/platform/kernel/refusal.ts';
import { registerAuditCommand } from './commands/audit.ts';
import { registerDemoCommand } from './commands/demo.ts';
import { registerGenerateRecordCommand } from './commands/generate-record.ts';
import { registerInitCommand } from './commands/init.ts';
import { registerJobsCommand } from './commands/jobs.ts';
import { registerKeysCommand } from './commands/keys.ts';
import { registerListenCommand } from './commands/listen.ts';
import { registerMigrateCommand } from './commands/migrate.ts';
import { registerReceiptCommand } from './commands/receipt.ts';
import { registerReindexCommand } from './commands/reindex.ts';
import { registerServeCommand } from './commands/serve.ts';

const program = new Command('chartgate')
  .description("A patient's health record, read only while the patient consents.")
  .showHelpAfterError('(--help shows what this command takes)');

for (const register of [
  registerInitCommand,
  registerServeCommand,
  registerMigrateCommand,
  registerDemoCommand,
  registerJobsCommand,
  registerKeysCommand,
  registerReceiptCommand,
  registerAuditCommand,
  registerReindexCommand,
  registerGenerateRecordCommand,
  registerListenCommand,
]) {
  register(program);
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`chartgate: ${error instanceof Error ? error.message : String(error)}\n`);
  // A fault of the code, unlike one of the input, needs its place to be found.
  const isExpected =
    error instanceof ConfigurationError ||
    error instanceof Refusal ||
    (error as { code?: unknown }).code !== undefined;
  if (!isExpected && error instanceof Error && error.stack && process.env['CHARTGATE_LOG_LEVEL'] === 'debug')
    process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}
