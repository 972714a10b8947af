import type { DataMask } from '../../../contract/brands.ts';
import type { Details, Kind } from './entry.ts';
import type { ContextFact, EntryLink } from './entry-link.ts';
import { joinPresent } from './element.ts';
import { findDoubt } from './objection.ts';
import type { ObservationDetail } from './observation-detail.ts';

/** An entry as far as its context depends on it. */
export interface LinkedEntry {
  seq: number;
  ordinal: number;
  kind: Kind;
  reference: string;
  title: string;
  groupKey: string;
  code: string | null;
  status: string | null;
  dayText: string | null;
  requiredLabels: DataMask;
  /** The visit it belongs to, of conditions. */
  visit: string | null;
  links: readonly EntryLink[];
  detail: Details[Kind];
  listedBy: readonly DataMask[];
}

/** A fact with what a consent must cover for it to be shown. */
export type NeededFact = ContextFact & { needs: DataMask };

export const isMeasure = ({ kind }: LinkedEntry): boolean =>
  kind === 'lab' || kind === 'vital' || kind === 'social_history' || kind === 'survey';

/** What one entry says about another. */
export function toFact(role: ContextFact['role'], entry: LinkedEntry, level: number): NeededFact {
  const { verification = null } = entry.detail as Partial<Details['condition']>;
  const doubt = findDoubt({ status: entry.status, verification });
  return {
    role,
    from: entry.reference,
    title: entry.title,
    code: entry.code,
    text: formatFactText(entry),
    ...(doubt !== null && { doubt }),
    level,
    needs: entry.requiredLabels,
  };
}

/** Texts of plans and orders may be long: the context says what it is about, `get_details` has the rest. */
export const MAX_FACT_LENGTH = 500;

/** Statuses of results that may change, or have changed. */
const UNSETTLED = new Set<string | null>(['preliminary', 'partial', 'amended', 'corrected', 'appended']);

function formatFactText(entry: LinkedEntry): string | null {
  const text = isMeasure(entry)
    ? joinPresent(
        [formatResult(entry.detail as ObservationDetail), UNSETTLED.has(entry.status) ? entry.status : null],
        '; ',
      )
    : formatWords(entry);
  return text === null ? null : text.slice(0, MAX_FACT_LENGTH);
}

const formatResult = (detail: ObservationDetail): string | null =>
  joinPresent(
    [
      joinPresent([detail.value, detail.unit === '1' ? null : detail.unit], ' '),
      detail.interpretation,
      detail.specimen,
      detail.bodySite,
      detail.note,
    ],
    '; ',
  );

function formatWords({ detail }: LinkedEntry): string | null {
  return 'text' in detail && 'type' in detail ? detail.text : null;
}
