import type { Demographics } from '../../../clinical/queries/summary.sql.ts';
import { escapeValue } from './escape-markdown.ts';

/** "died on 2024-03-03", "deceased"; null of a person who is not recorded as dead. */
export function formatDeath({ deceased }: Pick<Demographics, 'deceased'>): string | null {
  if (deceased === null || deceased === 'false') return null;
  return deceased === 'true' ? 'deceased' : `died on ${escapeValue(deceased.slice(0, 10))}`;
}

/** How the person of the record died, where its Patient resources agree; null where they may be several persons. */
export function findDeath(people: readonly Demographics[]): string | null {
  const deaths = new Set(people.flatMap((person) => formatDeath(person) ?? []));
  const births = new Set(people.flatMap(({ birthDate }) => birthDate ?? []));
  return deaths.size === 1 && births.size <= 1 ? ([...deaths][0] ?? null) : null;
}

/** "Active" of a person who lives; what was in force when somebody died is in force no more. */
export const formatInForce = (heading: string, death: string | null): string =>
  death === null ? heading : 'In force when last recorded';

export const renderDeathNote = (death: string | null): string | null =>
  death === null
    ? null
    : `The patient ${death === 'deceased' ? 'is deceased' : death}: nothing of this goes on.`;
