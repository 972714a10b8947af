/** The first fault that a verification of the log found. */
export interface Fault {
  /**
   * content: an entry is not what was written; missing: an entry or a block is gone; extra: an entry was inserted;
   * order: an entry is at another position; block: a block's row is not what was signed; signature: a checkpoint is not
   * signed by a key of this service.
   */
  what: 'content' | 'missing' | 'extra' | 'order' | 'block' | 'signature';
  organizationId: string;
  entryId: string | null;
  at: string | null;
  block: number | null;
  place: number | null;
  /** One sentence for a person. */
  detail: string;
}

interface LocatedEntry {
  organization_id: string;
  entry_id: string;
  at: string;
  block?: number | null;
  place?: number | null;
}

export const createEntryFault = (what: Fault['what'], entry: LocatedEntry, detail: string): Fault => ({
  what,
  organizationId: entry.organization_id,
  entryId: entry.entry_id,
  at: entry.at,
  block: entry.block ?? null,
  place: entry.place ?? null,
  detail,
});

export const createBlockFault = (
  what: Fault['what'],
  at: { organizationId: string; block: number; place?: number },
  detail: string,
): Fault => ({ place: null, ...at, what, entryId: null, at: null, detail });
