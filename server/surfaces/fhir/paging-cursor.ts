import type { PartnerAccess } from '../../consent/access/partner-access.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import type { NumberSeal } from '../../platform/kernel/sealed-numbers.ts';
import type { EverythingParameters } from './everything-parameters.ts';

/** The state of a traversal: what all of its pages show, and the time that they give for it. */
export interface TraversalState {
  at: Date;
  /** The last change that the reader may see: `at` itself may be that of something withheld. */
  lastUpdated: Date;
}

/** What the links of a page hold; null where the request names none. */
export interface OpenedCursor {
  state: TraversalState | null;
  /** The `seq` after which the page begins. */
  after: number | null;
}

/** A cursor is of use for one reader of one patient. */
const buildContext = (name: '_state' | '_after', { patientId, reach }: PartnerAccess): string =>
  [name, patientId, reach?.organizationId ?? 'own', ...(reach?.projectIds ?? [])].join(' ');

/** Encrypts the place in the record, whose distance to the next one would count what lies between and is withheld. */
export const sealPosition = (seal: NumberSeal, access: PartnerAccess, after: number): string =>
  seal.seal(buildContext('_after', access), [after]);

export const sealState = (seal: NumberSeal, access: PartnerAccess, state: TraversalState): string =>
  seal.seal(buildContext('_state', access), [state.at.getTime(), state.lastUpdated.getTime()]);

/** Opens the cursors of a request; throws `invalid_input` for one that is not of a link to this reader. */
export function openCursor(
  seal: NumberSeal,
  access: PartnerAccess,
  { state, after }: Pick<EverythingParameters, 'state' | 'after'>,
): OpenedCursor {
  return {
    state: state === null || 'at' in state ? state && { at: state.at, lastUpdated: state.at } : openState(),
    after: after === null ? null : (open('_after', after, 1)[0] as number),
  };

  function openState(): TraversalState {
    const [at, lastUpdated] = open('_state', (state as { sealed: string }).sealed, 2) as [number, number];
    return { at: new Date(at), lastUpdated: new Date(lastUpdated) };
  }

  function open(name: '_state' | '_after', text: string, count: number): number[] {
    const numbers = seal.open(buildContext(name, access), text, count);
    if (!numbers) throw invalidInput([{ path: name, message: 'must be the value of a paging link' }]);
    return numbers;
  }
}
