import type { Entry } from './entry.ts';

/**
 * True for what the record says is not so: a condition or allergy that is refuted, a vaccine not given, a procedure not done,
 * a drug not taken. It is never one with what is so, although both have one name.
 */
export function isDenied({ kind, status, detail }: Pick<Entry, 'kind' | 'status' | 'detail'>): boolean {
  if (kind === 'immunization') return (detail as { notDone: boolean }).notDone;
  if (kind === 'condition' || kind === 'allergy')
    return (detail as { verification: string | null }).verification === 'refuted';
  return kind === 'procedure' || kind === 'medication' ? DENYING.has(status) : false;
}

const DENYING = new Set<string | null>(['not-done', 'not-taken']);
