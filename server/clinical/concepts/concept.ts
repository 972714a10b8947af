import { hash } from 'node:crypto';
import { z } from 'zod';

/** One file of `vocabulary/` a kind. */
export const CONCEPT_KINDS = [
  'conditions',
  'symptoms',
  'body-parts',
  'drugs',
  'drug-classes',
  'tests',
  'vaccines',
  'procedures',
  'devices',
  'social-history',
  'family-history',
  'care-planning',
  'insurance',
  'visits',
] as const;
export type ConceptKind = (typeof CONCEPT_KINDS)[number];

const Phrases = z.array(z.string().trim().min(1).max(120)).min(1).optional();
const Slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be in kebab-case');
const Slugs = z.array(Slug).min(1).optional();
const Codes = z
  .array(z.string().regex(/^[A-Z0-9.-]+$/))
  .min(1)
  .optional();

/** A line of a vocabulary file (docs/search.md). Keys that hold nothing are left out. */
export const ConceptLine = z.strictObject({
  id: Slug,
  /** The clinical English name. */
  name: z.string().trim().min(1).max(120),
  en: Phrases,
  es: Phrases,
  de: Phrases,
  /** What people say for it when they ask; no record is taken to mean it by these ("for constipation" is no laxative there). */
  said: z.strictObject({ en: Phrases, es: Phrases, de: Phrases }).optional(),
  /** Abbreviations and shorthand: one may stand at several concepts. */
  short: Phrases,
  brands: Phrases,
  codes: z
    .strictObject({ icd10cm: Codes, icd9cm: Codes, snomed: Codes, loinc: Codes, rxnorm: Codes, cvx: Codes })
    .optional(),
  /** Wider concepts. */
  broader: Slugs,
  /** A test and what it tests, a drug and what it treats, a vaccine and the disease, a procedure and the body part. */
  related: Slugs,
  source: z.string().min(1),
});
export type ConceptLine = z.infer<typeof ConceptLine>;

/** A line with the kind that its file is named after. */
export type ConceptRow = ConceptLine & { kind: ConceptKind };

export interface Concept {
  /** Positive, below 2^28, the same in every version of the vocabulary that has the slug. */
  id: number;
  slug: string;
  name: string;
  /** The first that the vocabulary has; null: it has none. */
  spanishName: string | null;
  /** All that records call it: names in every language, brands and abbreviations, its own first. */
  names: readonly string[];
  kind: ConceptKind;
  /** All wider concepts. */
  ancestors: readonly number[];
  /** Those that it names as related, and those that name it. */
  related: readonly number[];
  /** Related ones that answer a question for it by themselves: the illness that a symptom is of, the operation in a history. */
  akin: readonly number[];
  /** The drugs and classes that treat it, or what it is related to: what somebody takes for it. */
  treatments: readonly number[];
  /** Tests and drugs that are of it, or of what a part of the body is known by, and of little else: where it is not stated, they are near it. */
  signs: readonly number[];
  /** How many concepts are narrower: one of many says little by itself. */
  breadth: number;
}

export const isDrug = ({ kind }: Pick<Concept, 'kind'>): boolean =>
  kind === 'drugs' || kind === 'drug-classes';
export const isVaccine = ({ kind }: Pick<Concept, 'kind'>): boolean => kind === 'vaccines';

/** Ids leave three bits of a positive `integer` for what an annotation says beside the concept. */
export const CONCEPT_ID_BITS = 28;

export const toConceptId = (slug: string): number =>
  hash('sha256', slug, 'buffer').readUInt32BE(0) >>> (32 - CONCEPT_ID_BITS);
