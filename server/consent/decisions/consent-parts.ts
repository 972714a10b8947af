import type { DataMask } from '../../../contract/brands.ts';
import type { ResourceScope, SensitivityScope } from '../../../contract/data-categories.ts';
import {
  combineScopes,
  excludeLabels,
  toDataScopes,
  toWithheldMask,
  type DataScopes,
} from '../access/sensitivity-labels.ts';
import type { GrantTerms } from './consent.sql.ts';

/** A part of what a consent covers, which ends by itself; parts are stored as JSON with their record. */
export type ConsentPart = GrantTerms;

export interface StoredConsent {
  /** JSON; null: all of it ends together. */
  parts: string | null;
  scopes: DataScopes;
  expiresAt: Date;
}

/** A row with a consent and its record. */
interface StoredConsentRow {
  parts: string | null;
  resource_scopes: readonly ResourceScope[] | null;
  sensitivity_scopes: readonly SensitivityScope[] | null;
  expires_at: Date;
}

export const toStoredConsent = (row: StoredConsentRow): StoredConsent => ({
  parts: row.parts,
  scopes: toDataScopes(row.resource_scopes, row.sensitivity_scopes),
  expiresAt: row.expires_at,
});

interface StoredPart extends DataScopes {
  expiresAt: string;
}

export const parseParts = (json: string): ConsentPart[] =>
  (JSON.parse(json) as StoredPart[]).map(({ expiresAt, ...scopes }) => ({
    scopes,
    expiresAt: new Date(expiresAt),
  }));

/** Lists the parts of a consent; one where all of it ends together. */
export const listParts = ({ parts, scopes, expiresAt }: StoredConsent): ConsentPart[] =>
  parts === null ? [{ scopes, expiresAt }] : parseParts(parts);

export const serializeParts = (parts: readonly ConsentPart[]): string =>
  JSON.stringify(
    parts.map(({ scopes, expiresAt }): StoredPart => ({ ...scopes, expiresAt: expiresAt.toISOString() })),
  );

/** Leaves out the parts that have ended, and those that another one covers for as long. */
export const dropCoveredParts = (parts: readonly ConsentPart[], now: Date): ConsentPart[] =>
  parts
    .filter(({ expiresAt }) => expiresAt > now)
    .filter(
      (part, index, all) =>
        !all.some(
          (other, at) => at !== index && isCovered(part, other) && (at < index || !isCovered(other, part)),
        ),
    );

const isCovered = (part: ConsentPart, by: ConsentPart): boolean =>
  part.expiresAt <= by.expiresAt && (toWithheldMask(by.scopes) & ~toWithheldMask(part.scopes)) === 0;

/** Returns what parts cover together, and when the last of them ends. */
export const joinParts = ([first, ...others]: readonly [ConsentPart, ...ConsentPart[]]): ConsentPart =>
  others.reduce(
    (joined, { scopes, expiresAt }) => ({
      scopes: combineScopes(joined.scopes, scopes),
      expiresAt: joined.expiresAt > expiresAt ? joined.expiresAt : expiresAt,
    }),
    first,
  );

/**
 * Returns what a review offers as what is shared now, and until when: without what ends long before the rest, which would go on
 * with it, and until the first end of what is left.
 */
export function getLastingPart(consent: StoredConsent, now: Date): ConsentPart {
  const left = ({ expiresAt }: ConsentPart): number => expiresAt.getTime() - now.getTime();
  const parts = listParts(consent);
  const longest = Math.max(...parts.map(left));
  const [first, ...others] = parts
    .filter((part) => left(part) > 0 && left(part) * 2 >= longest)
    .toSorted((one, other) => left(one) - left(other));
  if (!first) return { scopes: consent.scopes, expiresAt: consent.expiresAt };
  return { scopes: joinParts([first, ...others]).scopes, expiresAt: first.expiresAt };
}

/** Returns what a consent in force covers now. */
export function getCurrentScopes(consent: StoredConsent, now: Date): DataScopes {
  const [first, ...others] = listParts(consent).filter(({ expiresAt }) => expiresAt > now);
  return first ? joinParts([first, ...others]).scopes : consent.scopes;
}

/** Returns the parts that go on, without what is left out; those of which nothing is left end. */
export function narrowParts(
  consent: StoredConsent,
  { withheld, now }: { withheld: DataMask; now: Date },
): readonly [ConsentPart, ...ConsentPart[]] {
  const narrowed = listParts(consent).map(({ scopes, expiresAt }) => ({
    scopes: excludeLabels(scopes, withheld),
    expiresAt,
  }));
  const [first, ...others] = dropCoveredParts(
    narrowed.filter(({ scopes }) => scopes.resourceScopes?.length !== 0),
    now,
  );
  return [first ?? { scopes: consent.scopes, expiresAt: consent.expiresAt }, ...others];
}
