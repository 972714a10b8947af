import { createHash } from 'node:crypto';
import type { PartnerAccess } from '../../consent/access/partner-access.ts';
import { invalidInput, type Refusal } from '../../platform/kernel/refusal.ts';
import type { NumberSeal } from '../../platform/kernel/sealed-numbers.ts';
import type { EverythingParameters } from './everything-parameters.ts';
import type { Selection } from './selection.ts';

/** The state of a traversal: what all of its pages show, and the time that they give for it. */
export interface TraversalState {
  at: Date;
  /** The last change that the reader may see: `at` itself may be that of something withheld. */
  lastUpdated: Date;
}

/** What was counted before a page. */
export interface PageCount {
  total: number;
  /** The entries before the page. */
  offset: number;
  /** What the total is of: `buildCountKey`. */
  key: number;
  /** The entries before the page were counted among those of the total: the reader may see what they saw from the first page on. */
  isExact: boolean;
}

/** What the links of a page hold; null where the request names none. */
export interface OpenedCursor {
  state: TraversalState | null;
  /** The `seq` after which the page begins. */
  after: number | null;
  counted: PageCount | null;
}

/** A cursor is of use for one reader of one patient. */
const buildContext = (name: '_state' | '_after' | '_counted', { patientId, reach }: PartnerAccess): string =>
  [name, patientId, reach?.organizationId ?? 'own', ...(reach?.projectIds ?? [])].join(' ');

/** Encrypts the place in the record, whose distance to the next one would count what lies between and is withheld. */
export const sealPosition = (seal: NumberSeal, access: PartnerAccess, after: number): string =>
  seal.seal(buildContext('_after', access), [after]);

export const sealState = (seal: NumberSeal, access: PartnerAccess, state: TraversalState): string =>
  seal.seal(buildContext('_state', access), [state.at.getTime(), state.lastUpdated.getTime()]);

export const sealCount = (
  seal: NumberSeal,
  access: PartnerAccess,
  { total, offset, key, isExact }: PageCount,
): string => seal.seal(buildContext('_counted', access), [total, offset, key, Number(isExact)]);

/**
 * Builds the number that stands for all that a total depends on: what is asked for, the state, and what the consents leave out
 * (`masks`). A total with another key is that of another answer.
 */
export const buildCountKey = ({ types, since, dates, state }: Selection, masks: string | null): number =>
  createHash('sha256')
    .update(JSON.stringify([types, since, dates?.start, dates?.end, state, masks]))
    .digest()
    .readUIntBE(0, 6);

/**
 * Opens the cursors of a request; throws `invalid_input` for one that is not of a link to this reader, and for an offset that
 * is not that of the link's position.
 */
export function openCursor(
  seal: NumberSeal,
  access: PartnerAccess,
  { state, after, counted, offset }: Pick<EverythingParameters, 'state' | 'after' | 'counted' | 'offset'>,
): OpenedCursor {
  const cursor = {
    state: state === null || 'at' in state ? state && { at: state.at, lastUpdated: state.at } : openState(),
    after: after === null ? null : (open('_after', after, 1)[0] as number),
    counted: counted === null ? null : openCount(counted),
  };
  if (cursor.after !== null && cursor.counted !== null && cursor.counted.offset !== offset)
    throw createLinkRefusal('_offset');
  return cursor;

  function openCount(text: string): PageCount {
    const [total, at, key, isExact] = open('_counted', text, 4) as [number, number, number, number];
    return { total, offset: at, key, isExact: isExact === 1 };
  }

  function openState(): TraversalState {
    const [at, lastUpdated] = open('_state', (state as { sealed: string }).sealed, 2) as [number, number];
    return { at: new Date(at), lastUpdated: new Date(lastUpdated) };
  }

  function open(name: '_state' | '_after' | '_counted', text: string, count: number): number[] {
    const numbers = seal.open(buildContext(name, access), text, count);
    if (!numbers) throw createLinkRefusal(name);
    return numbers;
  }
}

const createLinkRefusal = (path: string): Refusal =>
  invalidInput([{ path, message: 'must be the value of a paging link' }]);
