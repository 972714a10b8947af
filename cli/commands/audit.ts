import fs from 'node:fs';
import readline from 'node:readline';
import type { Command } from 'commander';
import { z } from 'zod';
import { OrganizationId } from '../../contract/ids.ts';
import { verifyingKeys, type VerifyingKeys } from '../../server/auth/verifying-keys.ts';
import { verifySlice, type VerifiedSlice } from '../../server/audit/verify-slice.ts';
import { keptFault, verifyStore, type Verified } from '../../server/audit/verify-store.ts';
import { everySigningKey } from '../../server/auth/signing-keys.ts';
import { Refusal } from '../../server/kernel/refusal.ts';
import { say, withStore } from '../store.ts';

interface Options {
  keys?: string;
  checkpoints?: string;
  organization?: string;
  json?: boolean;
}

/** `chartgate audit verify [FILE]` and `chartgate audit keys`. */
export function auditCommand(program: Command): void {
  const audit = program.command('audit').description('the hash-chained audit log');
  audit
    .command('verify')
    .description('check the log of the configured store, or a slice that a patient exported')
    .argument('[file]', 'an exported slice, checked without the store where --keys is given')
    .option('--keys <file>', 'a JSON Web Key Set, such as `audit keys` prints')
    .option('--checkpoints <file>', 'a text with checkpoints kept elsewhere, which the log must still hold')
    .option('--organization <id>', 'only the log of this organization')
    .option('--json', 'print one JSON object')
    .action(async (file: string | undefined, options: Options) => {
      const sound = await (file === undefined ? verifyLog(options) : verifyFile(file, options));
      if (!sound) process.exitCode = 1;
    });
  audit
    .command('keys')
    .description('print all public keys that checkpoints were signed with, as a JSON Web Key Set')
    .action(async () => {
      const keys = await withStore((db) => everySigningKey(db));
      process.stdout.write(`${JSON.stringify({ keys })}\n`);
    });
}

async function verifyFile(file: string, options: Options): Promise<boolean> {
  if (options.organization !== undefined || options.checkpoints !== undefined)
    throw wrong('--organization and --checkpoints are for the log of the store');
  const slice = await verifySlice(linesOf(file), await keysFor(options));
  say(options, { sound: slice.fault === null, ...slice }, sentencesOfSlice(slice));
  return slice.fault === null;
}

const keysFor = (options: Options): Promise<VerifyingKeys> =>
  options.keys === undefined
    ? withStore(async (db) => verifyingKeys(await everySigningKey(db)))
    : keysOfFile(options.keys);

const KeySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

async function keysOfFile(file: string): Promise<VerifyingKeys> {
  const read = KeySet.safeParse(parsed(await fs.promises.readFile(file, 'utf8')));
  const keys = read.success ? await verifyingKeys(read.data.keys) : null;
  if (!keys || keys.size === 0) throw wrong(`${file} is no JSON Web Key Set with a P-256 key`);
  return keys;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function verifyLog(options: Options): Promise<boolean> {
  const only = options.organization === undefined ? null : organizationOf(options.organization);
  const { checkpoints: kept } = options;
  return withStore(async (db) => {
    const keys =
      options.keys === undefined
        ? await verifyingKeys(await everySigningKey(db))
        : await keysOfFile(options.keys);
    const verified = await verifyStore({ db, keys }, only);
    const comparison =
      kept === undefined || verified.fault ? null : await keptFault({ db, keys }, jwsIn(kept), only);
    const fault = verified.fault ?? comparison?.fault ?? null;
    if (comparison?.compared === 0 && !fault)
      throw wrong(`${kept} holds no checkpoint that a key of this service signed`);
    const result = { ...verified, fault, compared: comparison?.compared ?? 0 };
    say(options, { sound: fault === null, ...result }, sentencesOfLog(result));
    return fault === null;
  });
}

function organizationOf(text: string): OrganizationId {
  const id = OrganizationId.safeParse(text);
  if (!id.success) throw wrong('--organization must be a UUID');
  return id.data;
}

const wrong = (detail: string): Refusal => new Refusal(400, 'invalid_input', { detail });

async function* linesOf(file: string): AsyncGenerator<string> {
  const handle = await fs.promises.open(file);
  try {
    yield* readline.createInterface({ input: handle.createReadStream({ autoClose: false }) });
  } finally {
    await handle.close();
  }
}

/** Compact JWS wherever they stand: lines, a slice, the JSON of an earlier verification. */
async function* jwsIn(file: string): AsyncGenerator<string> {
  for await (const text of linesOf(file))
    for (const [jws] of text.matchAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g)) yield jws;
}

function sentencesOfLog(log: Verified & { compared: number }): string[] {
  const checked = [
    `Checked ${log.entries} entries in ${log.blocks} blocks of ${log.organizations} organizations; ${log.unsealed} more are not sealed yet.`,
    ...(log.compared > 0 ? [`The log holds the ${log.compared} checkpoints that were kept.`] : []),
  ];
  const { fault } = log;
  if (!fault) return [...checked, 'The log is as it was written.'];
  const place = [
    fault.entryId !== null && `entry ${fault.entryId} of ${fault.at}`,
    fault.block !== null && `block ${fault.block}`,
    fault.place !== null && `place ${fault.place}`,
  ].filter((part) => part !== false);
  return [
    ...checked,
    `ALTERED (${fault.what}): organization ${fault.organizationId}, ${place.join(', ')}: ${fault.detail}.`,
  ];
}

function sentencesOfSlice({ fault, ...slice }: VerifiedSlice): string[] {
  const checked = [
    `Proven: ${slice.proven} entries about patient ${slice.patientId}, in the logs of ${slice.organizations} organizations${slice.issuer === null ? '' : ` at ${slice.issuer}`}.`,
    ...(slice.unsealed > 0
      ? [`Not proven: ${slice.unsealed} entries that were not sealed when they were exported.`]
      : []),
  ];
  if (!fault) return [...checked, 'The slice is as it was sealed.'];
  const entry = 'entryId' in fault ? `, entry ${fault.entryId} of ${fault.at}` : '';
  return [...checked, `ALTERED (${fault.what}): line ${fault.line}${entry}: ${fault.detail}.`];
}
