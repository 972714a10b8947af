import fs from 'node:fs';
import readline from 'node:readline';
import type { Command } from 'commander';
import { z } from 'zod';
import { OrganizationId } from '../../contract/brands.ts';
import { findOrganization } from '../../server/identity/organizations/organizations.sql.ts';
import { maybeOne, type Db } from '../../server/platform/db/db.ts';
import { importVerifyingKeys, type VerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import { verifySlice, type SliceVerification } from '../../server/platform/audit/verify-slice.ts';
import {
  compareCheckpoints,
  verifyStore,
  type StoreVerification,
} from '../../server/platform/audit/verify-store.ts';
import { listAllSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { notFound, Refusal } from '../../server/platform/kernel/refusal.ts';
import { loadStoredKeys } from '../stored-keys.ts';
import { printResult, withDb } from '../with-db.ts';

interface Options {
  keys?: string;
  checkpoints?: string;
  organization?: string;
  json?: boolean;
}

/** `chartgate audit verify [FILE]` and `chartgate audit keys`. */
export function configureAuditCommand(audit: Command): void {
  audit
    .command('verify')
    .description('check the log of the configured store, or what a patient or an organization exported of it')
    .argument(
      '[file]',
      'an exported slice, or an export of the console; checked without the store where --keys is given',
    )
    .option('--keys <file>', 'a JSON Web Key Set, such as `audit keys` prints')
    .option('--checkpoints <file>', 'a text with checkpoints kept elsewhere, which the log must still hold')
    .option('--organization <id>', 'only the log of this organization')
    .option('--json', 'print one JSON object')
    .action(async (file: string | undefined, options: Options) => {
      const isIntact = await (file === undefined ? verifyLog(options) : verifyFile(file, options));
      if (!isIntact) process.exitCode = 1;
    });
  audit
    .command('keys')
    .description('print all public keys that checkpoints were signed with, as a JSON Web Key Set')
    .option('--json', 'the same: one JSON object')
    .action(async () => {
      const keys = await withDb((db) => listAllSigningKeys(db));
      process.stdout.write(`${JSON.stringify({ keys })}\n`);
    });
}

async function verifyFile(file: string, options: Options): Promise<boolean> {
  if (options.organization !== undefined || options.checkpoints !== undefined)
    throw invalidInput('--organization and --checkpoints are for the log of the store');
  // Before the keys are looked for, which would be missed in its place.
  await fs.promises.access(file, fs.constants.R_OK);
  const slice = await verifySlice(readLines(file), await loadKeys(options));
  printResult(options, { sound: slice.fault === null, ...slice }, formatSliceReport(slice));
  return slice.fault === null;
}

async function loadKeys({ keys: file }: Options): Promise<VerifyingKeys> {
  if (file !== undefined) return readKeySet(file);
  const keys = await loadStoredKeys();
  if (keys.length > 0) return importVerifyingKeys(keys);
  throw invalidInput(
    'the configured store has no keys: name those of the service that exported the file by --keys FILE (its /.well-known/jwks.json, or what `chartgate audit keys` prints there)',
  );
}

const JwkSet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

async function readKeySet(file: string): Promise<VerifyingKeys> {
  const result = JwkSet.safeParse(tryParseJson(await fs.promises.readFile(file, 'utf8')));
  const keys = result.success ? await importVerifyingKeys(result.data.keys) : null;
  if (!keys || keys.size === 0) throw invalidInput(`${file} is no JSON Web Key Set with a P-256 key`);
  return keys;
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function verifyLog(options: Options): Promise<boolean> {
  const organizationId =
    options.organization === undefined ? null : parseOrganizationId(options.organization);
  const { checkpoints: checkpointsFile } = options;
  return withDb(async (db) => {
    const keys =
      options.keys === undefined
        ? await importVerifyingKeys(await listAllSigningKeys(db))
        : await readKeySet(options.keys);
    const verified = await verifyStore({ db, keys }, organizationId);
    const comparison =
      checkpointsFile === undefined || verified.fault
        ? null
        : await compareCheckpoints({ db, keys }, extractJws(checkpointsFile), organizationId);
    const fault = verified.fault ?? comparison?.fault ?? null;
    if (comparison?.compared === 0 && !fault)
      throw invalidInput(`${checkpointsFile} holds no checkpoint that a key of this service signed`);
    if (fault === null && organizationId !== null && verified.entries + verified.unsealed === 0)
      await requireOrganization(db, organizationId);
    const result = { ...verified, fault, compared: comparison?.compared ?? 0 };
    printResult(options, { sound: fault === null, ...result }, formatLogReport(result));
    return fault === null;
  });
}

/** What is not there has no log that could be altered, which must not be read as that it was not. */
async function requireOrganization(db: Db, organizationId: OrganizationId): Promise<void> {
  if (!(await maybeOne(db, findOrganization(organizationId)))) throw notFound('The organization');
}

function parseOrganizationId(text: string): OrganizationId {
  const id = OrganizationId.safeParse(text);
  if (!id.success) throw invalidInput('--organization must be a UUID');
  return id.data;
}

const invalidInput = (detail: string): Refusal => new Refusal(400, 'invalid_input', { detail });

async function* readLines(file: string): AsyncGenerator<string> {
  const handle = await fs.promises.open(file);
  try {
    yield* readline.createInterface({ input: handle.createReadStream({ autoClose: false }) });
  } finally {
    await handle.close();
  }
}

/** Yields every compact JWS of a file, wherever it stands: lines, a slice, the JSON of an earlier verification. */
async function* extractJws(file: string): AsyncGenerator<string> {
  for await (const text of readLines(file))
    for (const [jws] of text.matchAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g)) yield jws;
}

function formatLogReport(log: StoreVerification & { compared: number }): string[] {
  const summary = [
    `Checked ${log.entries} entries in ${log.blocks} blocks of ${log.organizations} organizations; ${log.unsealed} more are not sealed yet.`,
    ...log.dropped.map(
      ({ organizationId, entries, before, entryId }) =>
        `Of organization ${organizationId}, ${entries} entries from before ${before.slice(0, 10)} were dropped, as entry ${entryId} says.`,
    ),
    ...(log.compared > 0 ? [`The log holds the ${log.compared} checkpoints that were kept.`] : []),
  ];
  const { fault } = log;
  if (!fault) return [...summary, 'The log is as it was written.'];
  const location = [
    fault.entryId !== null && `entry ${fault.entryId} of ${fault.at}`,
    fault.block !== null && `block ${fault.block}`,
    fault.place !== null && `place ${fault.place}`,
  ].filter((part) => part !== false);
  return [
    ...summary,
    `ALTERED (${fault.what}): organization ${fault.organizationId}, ${location.join(', ')}: ${fault.detail}.`,
  ];
}

const describeScope = ({
  organizationId,
  patientId,
  organizations,
}: Omit<SliceVerification, 'fault'>): string =>
  organizationId === null
    ? `about patient ${patientId}, in the logs of ${organizations} organizations`
    : `in the log of organization ${organizationId}`;

function formatSliceReport({ fault, ...slice }: SliceVerification): string[] {
  // Nothing says that it was one.
  if (fault && slice.patientId === null && slice.organizationId === null)
    return [`This is no export of the log (line ${fault.line} ${fault.detail}).`];
  const summary = [
    `Proven: ${slice.proven} entries ${describeScope(slice)}${slice.issuer === null ? '' : ` at ${slice.issuer}`}.`,
    ...(slice.unsealed > 0
      ? [`Not proven: ${slice.unsealed} entries that were not sealed when they were exported.`]
      : []),
  ];
  if (!fault) return [...summary, 'The slice is as it was sealed.'];
  const entry = 'entryId' in fault ? `, entry ${fault.entryId} of ${fault.at}` : '';
  return [...summary, `ALTERED (${fault.what}): line ${fault.line}${entry}: ${fault.detail}.`];
}
