import fs from 'node:fs/promises';
import type { Command } from 'commander';
import type { ConsentReceipt, ReceiptReference } from '../../contract/organization/receipt.ts';
import { importVerifyingKeys, type VerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import { verifyEvidence } from '../../server/consent/evidence/verify-evidence.ts';
import {
  parseKeySet,
  verifyReceipt,
  type VerifiedReceipt,
} from '../../server/consent/receipts/verify-receipt.ts';
import { Refusal } from '../../server/platform/kernel/refusal.ts';
import { openEvidence, type OpenedEvidence } from '../evidence-files.ts';
import { loadStoredKeys } from '../stored-keys.ts';
import { printResult } from '../with-db.ts';

interface Options {
  keys?: string;
  json?: boolean;
}

/**
 * `chartgate receipt verify` says whether a receipt, or the whole evidence of a decision, is what was issued, and what it states;
 * needs no network.
 */
export function configureReceiptCommand(command: Command): void {
  command
    .command('verify')
    .description(
      'check the signature of a consent receipt, or of every file of the evidence of a decision, and say who decided what, until when',
    )
    .argument(
      '<file>',
      'the receipt: a .jws file, or JSON with it as "receipt"; or the evidence: the .zip, or the folder that it was unpacked into',
    )
    .option(
      '--keys <file>',
      'keys of the service that issued it, as saved from /.well-known/jwks.json; without it, the keys of the configured store',
    )
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: Options) => {
      const evidence = await openEvidence(file);
      if (evidence) return printEvidence(evidence, options);
      const text = await readSmallFile(file);
      const verified = await verifyReceipt(text, await loadKeys(options));
      printResult(
        options,
        { valid: true, ...verified },
        formatReport(verified).map(replaceControlCharacters),
      );
    });
}

const loadKeys = async ({ keys: file }: Options): Promise<VerifyingKeys> =>
  file === undefined ? importVerifyingKeys(await loadStoredKeys()) : parseKeySet(await readSmallFile(file));

async function printEvidence(evidence: OpenedEvidence, options: Options): Promise<void> {
  try {
    const { manifest, receipt, log } = await verifyEvidence(evidence, await loadKeys(options));
    printResult(
      options,
      { valid: true, kind: 'evidence', manifest, receipt: receipt.receipt, log },
      [
        `All ${manifest.files.length} files are as ${manifest.iss} signed them on ${formatTime(manifest)}.`,
        `Log:    ${log.proven} entries are in the signed log; ${log.unsealed} were not sealed yet.`,
        ...formatReport(receipt),
      ].map(replaceControlCharacters),
    );
  } finally {
    evidence.close();
  }
}

const formatTime = ({ iat }: { iat: number }): string => new Date(iat * 1000).toISOString();

/** Receipts and key sets are a few kilobytes. */
const MAX_FILE_BYTES = 1024 * 1024;

async function readSmallFile(file: string): Promise<string> {
  const { size } = await fs.stat(file);
  if (size > MAX_FILE_BYTES)
    throw new Refusal(400, 'too_large', { detail: `${file} is too large to be a receipt or a key set.` });
  return fs.readFile(file, 'utf8');
}

const formatReport = (verified: VerifiedReceipt): string[] =>
  verified.kind === 'receipt' ? formatReceipt(verified.receipt) : formatReference(verified.receipt);

/** Says what a receipt states, with what ends sooner than the rest and what the app does not get. */
export function formatReceipt(receipt: ConsentReceipt): string[] {
  const { pii_processing: processing, party_identification: parties } = receipt;
  const formatParties = (role: string): string =>
    parties
      .filter(({ party_role }) => party_role === role)
      .map(({ party_name, party_id }) => party_name ?? party_id)
      .join(', ');
  const [purpose] = processing.purposes;
  const purposeText = purpose?.purpose ?? '';
  const [event] = receipt.event_schema;
  const isGiven = event?.event_state === 'given';
  return [
    formatSignature(receipt),
    `Who:    ${DECISIONS[event?.event_state ?? 'given'](`patient ${receipt.pii_principal_id}`)} on ${event?.event_time}`,
    ...(formatParties('authorized_representative') === ''
      ? []
      : [`        signed by ${formatParties('authorized_representative')}`]),
    `To:     ${formatParties('pii_controller')}, for "${processing.privacy_notice.title}"`,
    ...(formatParties('recipient') === '' ? [] : [`        read by ${formatParties('recipient')}`]),
    ...(purposeText === '' ? [] : [`For:    ${purposeText}`]),
    `What:   ${formatPiiInformation(purpose?.pii_information ?? [])}`,
    `Until:  ${isGiven ? purpose?.expiry : 'it holds no more'}`,
    ...(isGiven && purpose ? [...formatParts(purpose), ...formatRecipientLimits(purpose)] : []),
    `Proof:  record ${receipt.record_id}, page ${receipt.evidence.uiHash}, ${receipt.evidence.screenshots.length} screenshots`,
  ];
}

const DECISIONS: Record<ConsentReceipt['event_schema'][number]['event_state'], (patient: string) => string> =
  {
    given: (patient) => `${patient} gave consent`,
    refused: (patient) => `${patient} refused consent`,
    withdrawn: (patient) => `${patient} took back consent`,
    revoked: (patient) => `the organization ended the consent of ${patient}`,
  };

const formatReference = (reference: ReceiptReference): string[] => [
  formatSignature(reference),
  'It is the short form that comes by mail: it names a decision and does not say what it was about.',
  `What:   consent was ${reference.event_state} on ${reference.event_time}`,
  `Until:  ${reference.expiry ?? 'it holds no more'}`,
  `Proof:  record ${reference.record_id}, hash ${reference.record_hash}`,
];

const formatSignature = (receipt: { iss: string; iat: number }): string =>
  `This receipt is genuine: ${receipt.iss} signed it on ${formatTime(receipt)}, and nothing was changed since.`;

type Purpose = ConsentReceipt['pii_processing']['purposes'][number];
type Limits = Omit<NonNullable<Purpose['recipient_limits']>, 'party_id'>;

const formatPiiInformation = (information: Purpose['pii_information']): string =>
  formatScopes({
    pii_types: information.map(({ pii_type }) => pii_type),
    sensitivity_scopes: information[0]?.sensitivity_scopes ?? [],
  });

const formatScopes = ({ pii_types, sensitivity_scopes }: Omit<Limits, 'expiry'>): string =>
  `${pii_types.join(', ')} (${sensitivity_scopes.join(', ')})`;

/** Each part with its end: `What` and `Until` name what any part has, and the end of the last. */
const formatParts = ({ parts = [] }: Purpose): string[] =>
  parts.map((part) => `        of that, until ${part.expiry}: ${formatScopes(part)}`);

/** What the app gets and what it does not get, where that is less than the organization. */
function formatRecipientLimits(purpose: Purpose): string[] {
  const { recipient_limits: limits, pii_information: information } = purpose;
  if (!limits) return [];
  const missing = [
    ...information.map(({ pii_type }) => pii_type).filter((name) => !limits.pii_types.includes(name)),
    ...(information[0]?.sensitivity_scopes ?? []).filter((name) => !limits.sensitivity_scopes.includes(name)),
  ];
  return [
    `App:    the app gets ${formatScopes(limits)}, until ${limits.expiry}`,
    ...(missing.length === 0 ? [] : [`        it does not get ${missing.join(', ')}`]),
  ];
}

/** Replaces control characters: names come from whoever chose them, and a terminal must not obey them. */
const replaceControlCharacters = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
