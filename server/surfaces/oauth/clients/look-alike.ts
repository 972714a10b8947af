import { remove as readAsLatin } from 'confusables';
import { APP_WORDS, ORDINARY_WORDS, PROTECTED_NAMES, STEM_WORDS, STEMS } from './protected-names.ts';
import { dropRaised, toLatin, toSkeleton } from './skeleton.ts';

const PRODUCT_NAME = 'Chartgate';

/** A shorter name of an organization is too common a word to be protected. */
const MIN_TENANT_NAME_LENGTH = 6;

interface ClientIdentity {
  name: string | null;
  /** The host of the client's document; null: its identity is unverified. */
  host: string | null;
  /** Names of the organization and its project. */
  tenantNames: readonly string[];
}

/**
 * Returns the name that the client's name imitates without right, or null. Of a client with a verified host only the
 * protected names of others are compared, since the page shows the host beside the name.
 */
export function findImitatedName({ name, host, tenantNames }: ClientIdentity): string | null {
  if (name === null) return null;
  const ownNames =
    host === null
      ? [PRODUCT_NAME, ...tenantNames].map((each, index) => ({
          name: each,
          skeleton: toSkeleton(each),
          isTenant: index > 0,
        }))
      : [];
  const maxLength =
    Math.max(...[...PROTECTED_SKELETONS, ...ownNames].map(({ skeleton }) => skeleton.length)) + 2;
  const candidates = listCandidates(name, maxLength);
  const imitated =
    PROTECTED_SKELETONS.find(
      (each) => imitates(candidates, each) && !(host !== null && isOnDomain(host, each.domains)),
    ) ??
    ownNames.find((each) => each.skeleton.length >= MIN_TENANT_NAME_LENGTH && imitates(candidates, each));
  if (imitated) return imitated.name;
  return host === null && mixesScripts(name) ? readAsLatin(name.normalize('NFKC')) : null;
}

/** True for a domain of a protected name, and what is below it. */
export const isProtectedDomain = (host: string): boolean =>
  PROTECTED_NAMES.some(([, ...domains]) => isOnDomain(host, domains));

/**
 * Returns the protected name that a scheme holds which is no domain of that name in reverse order (RFC 8252 §7.1), or null: the page
 * shows where the answer goes. A client of a verified `host` may hold its own name.
 */
export function findNameInScheme(scheme: string, host: string | null): string | null {
  const reversed = scheme.split('.').toReversed().join('.');
  const maxLength = Math.max(...PROTECTED_SKELETONS.map(({ skeleton }) => skeleton.length)) + 2;
  const candidates = listCandidates(scheme, maxLength);
  const imitated = PROTECTED_SKELETONS.find(
    (each) =>
      imitates(candidates, each) && ![reversed, host ?? ''].some((at) => isOnDomain(at, each.domains)),
  );
  return imitated?.name ?? null;
}

const isOnDomain = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));

const PROTECTED_SKELETONS = PROTECTED_NAMES.map(([name, ...domains]) => ({
  name,
  domains,
  skeleton: toSkeleton(name),
}));

interface Candidate {
  skeleton: string;
  /** A bit for each Latin letter that occurs in the skeleton. */
  letterMask: number;
  match: Match;
}

/**
 * What counts: what is close to a name, too; for an ordinary word close to a known name, what is close to an organization's; the very
 * name alone, for what is left of a longer word, which is often close to a name; and the very name unless words are made of it.
 */
const MATCHES = ['close', 'ordinary', 'exact', 'no-stem'] as const;
type Match = (typeof MATCHES)[number];

const CJK = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]`;

/** Boundaries between a lower-case and an upper-case letter, and between Latin letters and scripts without spaces. */
const WORD_BOUNDARY = new RegExp(
  String.raw`(?<=\p{Ll})(?=\p{Lu})|(?<=${CJK})(?=\p{sc=Latin})|(?<=\p{sc=Latin})(?=${CJK})`,
  'gu',
);

const WORD_SEPARATORS = /[\s\p{Pd}\p{Pc}.,:;/\\()[\]{}'"“”‘’·•+&*#]+/u;

/**
 * Lists the parts of a name to compare: consecutive words, joined, up to the length of the longest protected name, and what is left
 * of a word without the words of apps that it is run together with; each with raised letters and without.
 */
function listCandidates(name: string, maxLength: number): Candidate[] {
  const candidates = new Map<string, Candidate>();
  const add = (skeleton: string, match: Match): void => {
    const known = candidates.get(skeleton);
    if (known && MATCHES.indexOf(known.match) <= MATCHES.indexOf(match)) return;
    candidates.set(skeleton, { skeleton, letterMask: toLetterMask(skeleton), match });
  };
  const spaced = name.replace(WORD_BOUNDARY, ' ');
  for (const text of new Set([name, spaced, dropRaised(name), dropRaised(spaced)])) {
    const words = text.split(WORD_SEPARATORS).map((plain) => ({ plain, skeleton: toSkeleton(plain) }));
    for (const first of words.keys()) {
      let [skeleton, plain] = ['', ''];
      let hasOrdinary = false;
      for (const word of words.slice(first)) {
        skeleton += word.skeleton;
        plain += word.plain;
        if (skeleton.length > maxLength) break;
        hasOrdinary ||= isOrdinary(word.plain);
        add(skeleton, hasOrdinary || isOrdinary(plain) ? 'ordinary' : 'close');
      }
    }
    for (const { plain } of words) for (const { core, match } of listCores(plain)) add(core, match);
  }
  return [...candidates.values()];
}

const isOrdinary = (word: string): boolean =>
  ORDINARY_WORDS.has(word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());

const join = (words: readonly string[]): string => `(?:${words.join('|')})`;
const APP_WORD = join(APP_WORDS);
/** Another name is such a word, too: "epicmychart", "claudebyanthropic". */
const NAME = join(PROTECTED_NAMES.map(([name]) => name.toLowerCase().replaceAll(' ', '')));
const BEFORE = new RegExp(`^(?:${APP_WORD}|${NAME}s?)`);
const BEHIND = new RegExp(`(?:${APP_WORD}|(?:by|for|from)?${NAME}|\\d+)$`);
const LEAVES_STEMS = new RegExp(`^(?:${join(STEM_WORDS)}|\\d)*$`);

/** How many words of apps are taken off each end of a word: its length is the client's choice. */
const MAX_APP_WORDS = 4;

/** Lists what is left of a word without words of apps at its beginning and end. */
function listCores(word: string): { core: string; match: Match }[] {
  const latin = toLatin(word).replace(/[^\p{L}\p{N}]/gu, '');
  return shorten(latin, BEFORE).flatMap((start) =>
    shorten(start, BEHIND)
      .filter((core) => core !== latin && core !== '')
      .map((core) => {
        const taken = latin.slice(0, latin.length - start.length) + start.slice(core.length);
        return { core: toSkeleton(core), match: LEAVES_STEMS.test(taken) ? 'exact' : 'no-stem' };
      }),
  );
}

/** Returns a word, and what is left of it each time that the pattern is taken off. */
function shorten(word: string, end: RegExp): string[] {
  const left = [word];
  for (let count = 0; count < MAX_APP_WORDS; count++) left.push((left.at(-1) ?? '').replace(end, ''));
  return [...new Set(left)];
}

const toLetterMask = (skeleton: string): number =>
  Array.from(skeleton).reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - 97)), 0);

/** True when a candidate is the name or close to it. Lengths and letter masks rule out most candidates cheaply. */
function imitates(
  candidates: readonly Candidate[],
  { name, skeleton, isTenant = false }: { name: string; skeleton: string; isTenant?: boolean },
): boolean {
  const maxDistance = getMaxDistance(skeleton);
  const letterMask = toLetterMask(skeleton);
  return candidates.some(
    (candidate) =>
      (candidate.skeleton === skeleton && !(candidate.match === 'no-stem' && STEMS.has(name))) ||
      ((candidate.match === 'close' || (isTenant && candidate.match === 'ordinary')) &&
        Math.abs(candidate.skeleton.length - skeleton.length) <= maxDistance &&
        countBits(candidate.letterMask ^ letterMask) <= 2 * maxDistance &&
        computeEditDistance(candidate.skeleton, skeleton) <= maxDistance),
  );
}

function countBits(number: number): number {
  let bits = 0;
  for (let rest = number; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

/**
 * Returns the edit distance that counts as close; 0 for a short name, which resembles too many words. "Health" makes none longer:
 * "Oral Health" is not like "Oracle Health".
 */
function getMaxDistance(skeleton: string): number {
  const { length } = skeleton.replace(/health$/, '');
  return length < 5 ? 0 : length < 10 ? 1 : 2;
}

/** Counts insertions, deletions, substitutions and transpositions (optimal string alignment). */
function computeEditDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const getCell = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= other.length; j++) {
      const substitution = getCell(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isTransposed = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          getCell(i - 1, j) + 1,
          getCell(i, j - 1) + 1,
          substitution,
          isTransposed ? getCell(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return getCell(one.length, other.length);
}

/** Scripts that no language mixes within a word; Chinese, Japanese and Korean mix with Latin and are absent. */
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Cherokee',
  'Coptic',
  'Lisu',
  'Canadian_Aboriginal',
  'Deseret',
  'Hebrew',
  'Arabic',
  'Thai',
  'Devanagari',
].map((script) => new RegExp(`\\p{sc=${script}}`, 'u'));

const mixesScripts = (name: string): boolean =>
  [...name.matchAll(/[\p{L}\p{M}]+/gu)].some(
    ([word]) => SCRIPTS.filter((script) => script.test(word)).length > 1,
  );
