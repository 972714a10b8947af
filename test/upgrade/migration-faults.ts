import type { Migration } from '../../server/platform/db/migrate.ts';

/**
 * Tables that grow with organizations and their staff, not with patients and what happens to them: a few thousand rows at most, so
 * that an index or a changed row of theirs takes no time.
 */
const SMALL_TABLES: ReadonlySet<string> = new Set([
  'api_key',
  'api_key_secret',
  'client_app',
  'client_judgement',
  'member',
  'member_challenge',
  'member_identity',
  'member_invitation',
  'member_oidc_request',
  'member_passkey',
  'member_password_link',
  'member_recovery_code',
  'member_session',
  'organization',
  'organization_mark',
  'project',
  'project_version',
  'refresh_token_key',
  'service_secret',
  'signing_key',
  'source',
  'source_key',
  'webhook',
  'webhook_secret',
]);

interface Statement {
  text: string;
  /** The migration of `-- contract: since 0081`, which stands before what takes something away. */
  unusedSince: string | null;
}

interface Context {
  migration: Migration;
  /** The newest schema that was released. */
  released: string;
  /** The tables that the same file creates: nobody uses them yet. */
  created: ReadonlySet<string>;
}

type Rule = (statement: Statement, context: Context) => string | null;

/** Says of a migration what would fail, or hold up, a node of the version before that serves meanwhile. */
export function findMigrationFaults(migration: Migration, released: string): string[] {
  const statements = splitStatements(migration.text);
  const created = new Set(
    statements.flatMap(
      ({ text }) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? [],
    ),
  );
  const context = { migration, released, created };
  const faults = statements.flatMap((statement) =>
    RULES.flatMap((rule) => {
      const fault = rule(statement, context);
      return fault === null ? [] : [`${migration.name}: ${fault}: ${statement.text}`];
    }),
  );
  const beside = statements.filter(({ text }) => BESIDE.test(text)).length;
  if (beside > 0 && beside < statements.length)
    faults.push(`${migration.name}: what is built concurrently stands in a file of its own`);
  return faults;
}

const BESIDE = /^create (unique )?index concurrently/;

/** Statements in one line and lower case, without comments and the bodies of functions. */
function splitStatements(text: string): Statement[] {
  return text
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''")
    .replaceAll(/--.*$/gm, (comment) => comment.replaceAll(';', ','))
    .split(';')
    .map((part) => ({
      text: part.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim().toLowerCase(),
      unusedSince: /^-- contract: since (\d{4})/m.exec(part)?.[1] ?? null,
    }))
    .filter((statement) => statement.text !== '');
}

/** What a statement changes of a table that others use meanwhile; null for a new one, and for none. */
function findUsedTable(text: string, pattern: RegExp, { created }: Context): string | null {
  const table = pattern.exec(text)?.[1] ?? null;
  return table === null || created.has(table) ? null : table;
}

const ALTERED = /^alter table (?:if exists )?(?:only )?(\w+)/;

const isLarge = (table: string | null): boolean => table !== null && !SMALL_TABLES.has(table);

const RULES: readonly Rule[] = [
  ({ text, unusedSince }, { migration, released }) => {
    const takesAway =
      /^drop (table|view|function|type|schema)\b/.test(text) ||
      (ALTERED.test(text) && /\b(drop column|rename|drop default)\b/.test(text)) ||
      /^truncate\b/.test(text);
    if (!takesAway) return null;
    if (unusedSince === null)
      return 'takes away what the version before may use, without "-- contract: since NNNN"';
    return unusedSince <= released && unusedSince < migration.name
      ? null
      : `no version that stopped using it in ${unusedSince} is released yet`;
  },
  ({ text }, context) => {
    const added =
      /\badd (?:column )?(?:if not exists )?(?!constraint|primary|unique|foreign|check)\w+ [^,]*/g;
    if (findUsedTable(text, ALTERED, context) === null) return null;
    for (const [column] of text.matchAll(added)) {
      if (/\bnot null\b/.test(column) && !/\bdefault\b/.test(column))
        return 'adds a column that the version before does not fill in';
      if (/\bdefault [^,]*\(/.test(column) && !/\bdefault now\(\)/.test(column))
        return 'adds a column whose default may differ by row, which rewrites the table';
      if (/\b(unique|primary key)\b/.test(column)) return 'builds an index under a lock of the table';
    }
    return null;
  },
  ({ text }, context) =>
    isLarge(findUsedTable(text, ALTERED, context)) &&
    /\b(set not null|(set data )?type \w+)\b/.test(text) &&
    /\balter (column )?\w+ (set not null|set data type|type)\b/.test(text)
      ? 'reads or rewrites the whole table under a lock'
      : null,
  ({ text }, context) =>
    isLarge(findUsedTable(text, ALTERED, context)) &&
    /\b(check \(|add constraint|add (primary|unique|foreign)|references)\b/.test(
      text.replaceAll('check(', 'check ('),
    ) &&
    !/\bnot valid$/.test(text)
      ? 'checks every row under a lock: add it "not valid", and validate it in a migration of its own'
      : null,
  ({ text }, context) =>
    isLarge(
      findUsedTable(
        text,
        /^create (?:unique )?index (?!concurrently)(?:if not exists )?(?:\w+ )?on (\w+)/,
        context,
      ),
    )
      ? 'builds an index while nobody can write: "create index concurrently if not exists NAME", in a file of its own'
      : null,
  ({ text }) =>
    BESIDE.test(text) && !/^create (unique )?index concurrently if not exists \w+ on/.test(text)
      ? 'cannot be repeated after it was interrupted: "if not exists", and a name'
      : null,
  ({ text }, context) =>
    isLarge(findUsedTable(text, /^(?:with .* )?(?:update|delete from|insert into) (\w+)/, context))
      ? 'changes rows of a large table in one transaction: let the program do it a page at a time, and read both forms'
      : null,
  ({ text }) =>
    /^(lock|vacuum|cluster|reindex|refresh|create trigger|set)\b/.test(text)
      ? 'takes locks or settings that a migration does not need'
      : null,
];
