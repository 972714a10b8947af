import fs from 'node:fs/promises';
import type { Command } from 'commander';
import type { ConsentReceipt, ReceiptReference } from '../../contract/receipt.ts';
import { everySigningKey } from '../../server/auth/signing-keys.ts';
import { verifyingKeys } from '../../server/auth/verifying-keys.ts';
import { keysIn, verifyReceipt, type VerifiedReceipt } from '../../server/consent/receipts/verify-receipt.ts';
import { Refusal } from '../../server/kernel/refusal.ts';
import { say, withStore } from '../store.ts';

interface Options {
  keys?: string;
  json?: boolean;
}

/** `chartgate receipt verify`: is this receipt the one that was issued, and what does it say? Needs no network. */
export function receiptCommand(program: Command): void {
  program
    .command('receipt')
    .description('consent receipts')
    .command('verify')
    .description('check the signature of a consent receipt, and say who decided what, until when')
    .argument('<file>', 'the receipt: a .jws file, or JSON with it as "receipt"')
    .option(
      '--keys <file>',
      'keys of the service that issued it, as saved from /.well-known/jwks.json; without it, the keys of the configured store',
    )
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: Options) => {
      const text = await contentOf(file);
      const keys =
        options.keys === undefined
          ? await withStore(async (db) => verifyingKeys(await everySigningKey(db)))
          : await keysIn(await contentOf(options.keys));
      const verified = await verifyReceipt(text, keys);
      say(options, { valid: true, ...verified }, sentencesOf(verified).map(printable));
    });
}

/** Receipts and key sets are a few kilobytes. */
const LARGEST = 1024 * 1024;

async function contentOf(file: string): Promise<string> {
  const { size } = await fs.stat(file);
  if (size > LARGEST)
    throw new Refusal(400, 'too_large', { detail: `${file} is too large to be a receipt or a key set.` });
  return fs.readFile(file, 'utf8');
}

const sentencesOf = (verified: VerifiedReceipt): string[] =>
  verified.kind === 'receipt' ? receiptSentences(verified.receipt) : referenceSentences(verified.receipt);

function receiptSentences(receipt: ConsentReceipt): string[] {
  const { pii_processing: processing, party_identification: parties } = receipt;
  const named = (role: string): string =>
    parties
      .filter(({ party_role }) => party_role === role)
      .map(({ party_name, party_id }) => party_name ?? party_id)
      .join(', ');
  const [purpose] = processing.purposes;
  const words = purpose?.purpose ?? '';
  const [event] = receipt.event_schema;
  const given = event?.event_state === 'given';
  return [
    genuine(receipt),
    `Who:    patient ${receipt.pii_principal_id} ${given ? 'gave' : 'took back'} consent on ${event?.event_time}`,
    ...(named('authorized_representative') === ''
      ? []
      : [`        signed by ${named('authorized_representative')}`]),
    `To:     ${named('pii_controller')}, for "${processing.privacy_notice.title}"`,
    ...(named('recipient') === '' ? [] : [`        read by ${named('recipient')}`]),
    ...(words === '' ? [] : [`For:    ${words}`]),
    `What:   ${shared(purpose?.pii_information ?? [])}`,
    `Until:  ${given ? purpose?.expiry : 'it holds no more'}`,
    `Proof:  record ${receipt.record_id}, page ${receipt.evidence.uiHash}, ${receipt.evidence.screenshots.length} screenshots`,
  ];
}

const referenceSentences = (reference: ReceiptReference): string[] => [
  genuine(reference),
  'It is the short form that comes by mail: it names a decision and does not say what it was about.',
  `What:   consent was ${reference.event_state} on ${reference.event_time}`,
  `Until:  ${reference.expiry ?? 'it holds no more'}`,
  `Proof:  record ${reference.record_id}, hash ${reference.record_hash}`,
];

const genuine = ({ iss, iat }: { iss: string; iat: number }): string =>
  `This receipt is genuine: ${iss} signed it on ${new Date(iat * 1000).toISOString()}, and nothing was changed since.`;

type Shared = ConsentReceipt['pii_processing']['purposes'][number]['pii_information'];

function shared(information: Shared): string {
  const [first] = information;
  const classes = first?.sensitivity_scopes ?? [];
  return `${information.map(({ pii_type }) => pii_type).join(', ')} (${classes.join(', ')})`;
}

/** Names come from whoever chose them: a terminal must not obey them. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
