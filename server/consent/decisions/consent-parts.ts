import { isDeepStrictEqual } from 'node:util';
import type { DataMask } from '../../../contract/brands.ts';
import type { ResourceScope, SensitivityScope } from '../../../contract/data-categories.ts';
import {
  combineMasks,
  combineScopes,
  excludeLabels,
  NO_LABELS,
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

/**
 * Leaves out the parts that have ended, and those that another one covers for as long. Others stay by themselves, also where they end
 * together: a resource of two classes, or of two categories, would be read under both that neither covers.
 */
export const simplifyParts = (parts: readonly ConsentPart[], now: Date): ConsentPart[] =>
  parts
    .filter(({ expiresAt }) => expiresAt > now)
    .filter(
      (part, index, all) =>
        !all.some(
          (other, at) => at !== index && isCovered(part, other) && (at < index || !isCovered(other, part)),
        ),
    );

const isCovered = (part: ConsentPart, by: ConsentPart): boolean =>
  part.expiresAt <= by.expiresAt && covers(by.scopes, part.scopes);

const covers = (one: DataScopes, other: DataScopes): boolean =>
  (toWithheldMask(one) & ~toWithheldMask(other)) === 0;

const isSameTime = (one: ConsentPart, other: ConsentPart): boolean =>
  one.expiresAt.getTime() === other.expiresAt.getTime();

/**
 * True where the lists of two parts, joined, are what a review may offer as shared now: they have the same classes, or one covers the
 * other. Laboratory results with a protected class and diagnoses without it would be diagnoses of that class as well.
 */
const addUp = (one: DataScopes, other: DataScopes): boolean =>
  isDeepStrictEqual(one.sensitivityScopes, other.sensitivityScopes) ||
  covers(one, other) ||
  covers(other, one);

/** Returns the lists of all that parts cover, and when the last of them ends. A part by itself may cover less than both lists say. */
export const joinParts = ([first, ...others]: readonly [ConsentPart, ...ConsentPart[]]): ConsentPart =>
  others.reduce(
    (joined, { scopes, expiresAt }) => ({
      scopes: combineScopes(joined.scopes, scopes),
      expiresAt: joined.expiresAt > expiresAt ? joined.expiresAt : expiresAt,
    }),
    first,
  );

/** Lists what of a consent goes on; once all of it has ended, what ended last. */
export function listCurrentParts(
  consent: StoredConsent,
  now: Date,
): readonly [ConsentPart, ...ConsentPart[]] {
  const current = findCurrentParts(consent, now);
  const [first, ...others] =
    current.length > 0 ? current : listParts(consent).filter((part) => isSameTime(part, consent));
  return [first ?? consent, ...others];
}

const findCurrentParts = (consent: StoredConsent, now: Date): ConsentPart[] =>
  listParts(consent).filter(({ expiresAt }) => expiresAt > now);

/**
 * Returns what a review offers as what is shared now, and until when: without what ends long before the rest, which would go on
 * with it, and until the first end of what is left. Of parts that do not add up it is the one that covers as much as all of them, as
 * far as the grant goes of the app that asks, or else the one that ends last. Of a consent that is over it is what ended last.
 */
export function getLastingPart(consent: StoredConsent, now: Date, grant = NO_LABELS): ConsentPart {
  const left = ({ expiresAt }: ConsentPart): number => expiresAt.getTime() - now.getTime();
  const current = listCurrentParts(consent, now).toSorted((one, other) => left(other) - left(one));
  const [longest = consent] = current;
  const lasting = current.filter((part) => isSameTime(part, longest) || left(part) * 2 >= left(longest));
  const whole = combineMasks(toWithheldMask(getCurrentScopes(consent, now)), grant);
  const first =
    lasting.find(({ scopes }) => combineMasks(toWithheldMask(scopes), grant) === whole) ?? longest;
  const { scopes, expiresAt } = lasting.reduce(
    (offered, part) =>
      addUp(offered.scopes, part.scopes)
        ? {
            scopes: combineScopes(offered.scopes, part.scopes),
            expiresAt: left(part) < left(offered) ? part.expiresAt : offered.expiresAt,
          }
        : offered,
    first,
  );
  return { scopes, expiresAt };
}

/** Returns the lists of all that a consent in force covers now, of all its parts. */
export const getCurrentScopes = (consent: StoredConsent, now: Date): DataScopes =>
  joinParts(listCurrentParts(consent, now)).scopes;

/** Returns the parts that go on, each without what is left out; those of which nothing is left end. */
export const narrowParts = (
  consent: StoredConsent,
  { withheld, now }: { withheld: DataMask; now: Date },
): ConsentPart[] =>
  simplifyParts(
    listParts(consent)
      .map(({ scopes, expiresAt }) => ({ scopes: excludeLabels(scopes, withheld), expiresAt }))
      .filter(({ scopes }) => scopes.resourceScopes?.length !== 0),
    now,
  );
