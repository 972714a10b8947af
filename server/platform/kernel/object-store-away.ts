import { Refusal } from './refusal.ts';

/** Seconds: a store that was restarted answers again within some. */
const RETRY_AFTER = { 'retry-after': '30' };

/** The object store does not answer, or refuses us: nothing is wrong with the request, which may succeed later. */
export class ObjectStoreAway extends Refusal {
  /** `reason` is for the operator: a status, a code of S3 or of a connection. */
  constructor(reason: string) {
    super(503, 'object_store_unavailable', {
      detail: 'The store of files does not answer; try again in a minute.',
      headers: RETRY_AFTER,
      reason: `object store: ${reason}`,
    });
    this.name = 'ObjectStoreAway';
  }
}
