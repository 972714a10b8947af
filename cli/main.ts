import { Command, CommanderError } from 'commander';
import { VERSION } from '../contract/version.ts';
import { keepCompiledCode } from '../server/compile-cache.ts';

interface CommandEntry {
  name: string;
  description: string;
  /** Imports what the command needs: `--help` loads no server. */
  load(): Promise<(command: Command) => void>;
}

const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    description: 'create an organization with a project, API keys and a console login',
    load: async () => (await import('./commands/init.ts')).configureInitCommand,
  },
  {
    name: 'serve',
    description: 'serve until it is stopped',
    load: async () => (await import('./commands/serve.ts')).configureServeCommand,
  },
  {
    name: 'migrate',
    description: 'bring the schema of the store up to date',
    load: async () => (await import('./commands/migrate.ts')).configureMigrateCommand,
  },
  {
    name: 'backup',
    description: 'write all that the store holds into a file, while it is served',
    load: async () => (await import('./commands/backup.ts')).configureBackupCommand,
  },
  {
    name: 'restore',
    description: 'fill an empty store from a backup, of either engine',
    load: async () => (await import('./commands/restore.ts')).configureRestoreCommand,
  },
  {
    name: 'demo',
    description: 'run the main job with a synthetic patient, then go on serving',
    load: async () => (await import('./commands/demo.ts')).configureDemoCommand,
  },
  {
    name: 'doctor',
    description: 'check a deployment as a stranger would, and say what to mend',
    load: async () => (await import('./commands/doctor.ts')).configureDoctorCommand,
  },
  {
    name: 'api-keys',
    description: 'list, create, rotate and revoke API keys',
    load: async () => (await import('./commands/api-keys.ts')).configureApiKeysCommand,
  },
  {
    name: 'jobs',
    description: 'list background jobs that were given up, and count all of them',
    load: async () => (await import('./commands/jobs.ts')).configureJobsCommand,
  },
  {
    name: 'objects',
    description: 'count, move and verify what is in the object store',
    load: async () => (await import('./commands/objects.ts')).configureObjectsCommand,
  },
  {
    name: 'read-again',
    description: 'list uploads with documents that were not read in time, and read those of one again',
    load: async () => (await import('./commands/read-again.ts')).configureReadAgainCommand,
  },
  {
    name: 'keys',
    description: 'signing keys',
    load: async () => (await import('./commands/keys.ts')).configureKeysCommand,
  },
  {
    name: 'members',
    description: 'list, invite and reset members of the console',
    load: async () => (await import('./commands/members.ts')).configureMembersCommand,
  },
  {
    name: 'receipt',
    description: 'consent receipts',
    load: async () => (await import('./commands/receipt.ts')).configureReceiptCommand,
  },
  {
    name: 'audit',
    description: 'the hash-chained audit log',
    load: async () => (await import('./commands/audit.ts')).configureAuditCommand,
  },
  {
    name: 'reindex',
    description: "rebuild every record's clinical entries and search index from its resources",
    load: async () => (await import('./commands/reindex.ts')).configureReindexCommand,
  },
  {
    name: 'generate-record',
    description: 'write a synthetic FHIR R4 record as an upload archive',
    load: async () => (await import('./commands/generate-record.ts')).configureGenerateRecordCommand,
  },
  {
    name: 'listen',
    description: 'receive webhooks on this machine: verify, explain, print, forward',
    load: async () => (await import('./commands/listen.ts')).configureListenCommand,
  },
];

const program = new Command('chartgate')
  .description("A patient's health record, read only while the patient consents.")
  .version(VERSION, '-V, --version', 'print the version')
  .showHelpAfterError('(--help shows what this command takes)')
  .exitOverride();

const [first, second] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const requested = first === 'help' ? second : first;

keepCompiledCode();
try {
  for (const { name, description, load } of COMMANDS) {
    const command = program.command(name).description(description);
    if (name === requested) (await load())(command);
  }
  await program.parseAsync();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const { code } = error as { code?: unknown };
  // Commander has printed its own.
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) process.exit(0);
  if (!isUsage) process.stderr.write(`chartgate: ${message}\n`);
  if (process.argv.includes('--json'))
    process.stdout.write(
      `${JSON.stringify({ error: message, code: typeof code === 'string' ? code : 'failed' })}\n`,
    );
  // An error in the code, unlike one in the input, needs its stack to be found.
  const isExpected = code !== undefined;
  if (!isExpected && error instanceof Error && error.stack && process.env['CHARTGATE_LOG_LEVEL'] === 'debug')
    process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}
