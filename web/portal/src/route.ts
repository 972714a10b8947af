import { definePath } from '../../kit/paths.ts';

/** The parts of the portal that have an address of their own below `#/my-data`. */
export const PARTS = [
  'record',
  'activity',
  'receipts',
  'documents',
  'download',
  'notices',
  'signing-in',
  'delete-account',
] as const;
export type Part = (typeof PARTS)[number];

const homePath = definePath('/my-data');
const partPath = definePath('/my-data/{part}');
const receiptPath = definePath('/my-data/receipts/{consentRecordId}');

/** Returns the part that the fragment names; null for the home page. */
export const parsePart = (fragment: string): Part | null =>
  PARTS.find((part) => part === partPath.match(fragment)?.part) ?? null;

export const buildPartFragment = (part: Part | null): string =>
  part === null ? homePath.build({}) : partPath.build({ part });

/** Where the fragment of the address leads: a part of the page, and a receipt within it. */
export interface Route {
  part: Part | null;
  consentRecordId: string | null;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function parseRoute(fragment: string): Route {
  const { consentRecordId = null } = receiptPath.match(fragment) ?? {};
  if (consentRecordId !== null && UUID.test(consentRecordId)) return { part: 'receipts', consentRecordId };
  return { part: parsePart(fragment), consentRecordId: null };
}

/** Leads to the receipt of a decision; its mail names the address too. */
export const buildReceiptFragment = (consentRecordId: string): string =>
  receiptPath.build({ consentRecordId });
