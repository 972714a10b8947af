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

/** Returns the part that the fragment names; null for the home page. */
export const parsePart = (fragment: string): Part | null =>
  PARTS.find((part) => part === partPath.match(fragment)?.part) ?? null;

export const buildPartFragment = (part: Part | null): string =>
  part === null ? homePath.build({}) : partPath.build({ part });
