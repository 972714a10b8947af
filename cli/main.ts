import { Command } from 'commander';
import { ConfigurationFault } from '../server/config.ts';
import { Refusal } from '../server/kernel/refusal.ts';
import { auditCommand } from './commands/audit.ts';
import { demoCommand } from './commands/demo.ts';
import { generateRecordCommand } from './commands/generate-record.ts';
import { initCommand } from './commands/init.ts';
import { jobsCommand } from './commands/jobs.ts';
import { keysCommand } from './commands/keys.ts';
import { listenCommand } from './commands/listen.ts';
import { migrateCommand } from './commands/migrate.ts';
import { receiptCommand } from './commands/receipt.ts';
import { reindexCommand } from './commands/reindex.ts';
import { serveCommand } from './commands/serve.ts';

const program = new Command('chartgate')
  .description("A patient's health record, read only while the patient consents.")
  .showHelpAfterError('(--help shows what this command takes)');

for (const add of [
  initCommand,
  serveCommand,
  migrateCommand,
  demoCommand,
  jobsCommand,
  keysCommand,
  receiptCommand,
  auditCommand,
  reindexCommand,
  generateRecordCommand,
  listenCommand,
]) {
  add(program);
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`chartgate: ${error instanceof Error ? error.message : String(error)}\n`);
  // A fault of the code, unlike one of the input, needs its place to be found.
  const expected =
    error instanceof ConfigurationFault ||
    error instanceof Refusal ||
    (error as { code?: unknown }).code !== undefined;
  if (!expected && error instanceof Error && error.stack && process.env['CHARTGATE_LOG_LEVEL'] === 'debug')
    process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}
