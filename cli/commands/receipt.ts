import fs from 'node:fs/promises';
import type { Command } from 'commander';
import type { ConsentReceipt, ReceiptReference } from '../../contract/organization/receipt.ts';
import { importVerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import {
  parseKeySet,
  verifyReceipt,
  type VerifiedReceipt,
} from '../../server/consent/receipts/verify-receipt.ts';
import { Refusal } from '../../server/platform/kernel/refusal.ts';
import { loadStoredKeys } from '../stored-keys.ts';
import { printResult } from '../with-db.ts';

interface Options {
  keys?: string;
  json?: boolean;
}

/** `chartgate receipt verify` says whether a receipt is the one that was issued, and what it states; needs no network. */
export function configureReceiptCommand(command: Command): void {
  command
    .command('verify')
    .description('check the signature of a consent receipt, and say who decided what, until when')
    .argument('<file>', 'the receipt: a .jws file, or JSON with it as "receipt"')
    .option(
      '--keys <file>',
      'keys of the service that issued it, as saved from /.well-known/jwks.json; without it, the keys of the configured store',
    )
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: Options) => {
      const text = await readSmallFile(file);
      const keys =
        options.keys === undefined
          ? await importVerifyingKeys(await loadStoredKeys())
          : await parseKeySet(await readSmallFile(options.keys));
      const verified = await verifyReceipt(text, keys);
      printResult(
        options,
        { valid: true, ...verified },
        formatReport(verified).map(replaceControlCharacters),
      );
    });
}

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

function formatReceipt(receipt: ConsentReceipt): string[] {
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
    `Who:    patient ${receipt.pii_principal_id} ${isGiven ? 'gave' : 'took back'} consent on ${event?.event_time}`,
    ...(formatParties('authorized_representative') === ''
      ? []
      : [`        signed by ${formatParties('authorized_representative')}`]),
    `To:     ${formatParties('pii_controller')}, for "${processing.privacy_notice.title}"`,
    ...(formatParties('recipient') === '' ? [] : [`        read by ${formatParties('recipient')}`]),
    ...(purposeText === '' ? [] : [`For:    ${purposeText}`]),
    `What:   ${formatPiiInformation(purpose?.pii_information ?? [])}`,
    `Until:  ${isGiven ? purpose?.expiry : 'it holds no more'}`,
    `Proof:  record ${receipt.record_id}, page ${receipt.evidence.uiHash}, ${receipt.evidence.screenshots.length} screenshots`,
  ];
}

const formatReference = (reference: ReceiptReference): string[] => [
  formatSignature(reference),
  'It is the short form that comes by mail: it names a decision and does not say what it was about.',
  `What:   consent was ${reference.event_state} on ${reference.event_time}`,
  `Until:  ${reference.expiry ?? 'it holds no more'}`,
  `Proof:  record ${reference.record_id}, hash ${reference.record_hash}`,
];

const formatSignature = ({ iss, iat }: { iss: string; iat: number }): string =>
  `This receipt is genuine: ${iss} signed it on ${new Date(iat * 1000).toISOString()}, and nothing was changed since.`;

type PiiInformation = ConsentReceipt['pii_processing']['purposes'][number]['pii_information'];

function formatPiiInformation(information: PiiInformation): string {
  const [first] = information;
  const classes = first?.sensitivity_scopes ?? [];
  return `${information.map(({ pii_type }) => pii_type).join(', ')} (${classes.join(', ')})`;
}

/** Replaces control characters: names come from whoever chose them, and a terminal must not obey them. */
const replaceControlCharacters = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
