import { remove as readAsLatin } from 'confusables';
import { APP_WORDS, ORDINARY_WORDS, PROTECTED_NAMES } from './protected-names.ts';
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
      ? [PRODUCT_NAME, ...tenantNames].map((each) => ({ name: each, skeleton: toSkeleton(each) }))
      : [];
  const maxLength =
    Math.max(...[...PROTECTED_SKELETONS, ...ownNames].map(({ skeleton }) => skeleton.length)) + 2;
  const candidates = listCandidates(name, maxLength);
  const imitated =
    PROTECTED_SKELETONS.find(
      ({ skeleton, domains }) =>
        imitates(candidates, skeleton) && !(host !== null && isOnDomain(host, domains)),
    ) ??
    ownNames.find(
      ({ skeleton }) => skeleton.length >= MIN_TENANT_NAME_LENGTH && imitates(candidates, skeleton),
    );
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
    ({ skeleton, domains }) =>
      imitates(candidates, skeleton) && ![reversed, host ?? ''].some((each) => isOnDomain(each, domains)),
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
  /** Only the very name counts: for an ordinary word, and for what is left of a longer one, which is often close to a name. */
  isExact: boolean;
}

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
  const add = (skeleton: string, isExact: boolean): void => {
    if (candidates.get(skeleton)?.isExact === false) return;
    candidates.set(skeleton, { skeleton, letterMask: toLetterMask(skeleton), isExact });
  };
  const spaced = name.replace(WORD_BOUNDARY, ' ');
  for (const text of new Set([name, spaced, dropRaised(name), dropRaised(spaced)])) {
    const words = text.split(WORD_SEPARATORS).map((plain) => ({ plain, skeleton: toSkeleton(plain) }));
    for (const first of words.keys()) {
      let skeleton = '';
      for (const word of words.slice(first)) {
        const isExact = skeleton === '' && ORDINARY_WORDS.has(word.plain.toLowerCase());
        skeleton += word.skeleton;
        if (skeleton.length > maxLength) break;
        add(skeleton, isExact);
      }
    }
    for (const { plain } of words) for (const core of listCores(plain)) add(core, true);
  }
  return [...candidates.values()];
}

const APP_WORD = `(?:${APP_WORDS.join('|')})`;
const BEFORE = new RegExp(`^${APP_WORD}`);
const BEHIND = new RegExp(`(?:${APP_WORD}|\\d+)$`);

/** How many words of apps are taken off each end of a word: its length is the client's choice. */
const MAX_APP_WORDS = 4;

/** Lists what is left of a word without words of apps at its beginning and end. */
function listCores(word: string): string[] {
  const latin = toLatin(word).replace(/[^\p{L}\p{N}]/gu, '');
  const cores = shorten(latin, BEFORE).flatMap((start) => shorten(start, BEHIND));
  return cores.filter((core) => core !== latin && core !== '').map(toSkeleton);
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
function imitates(candidates: readonly Candidate[], skeleton: string): boolean {
  const maxDistance = getMaxDistance(skeleton);
  const letterMask = toLetterMask(skeleton);
  return candidates.some(
    (candidate) =>
      candidate.skeleton === skeleton ||
      (!candidate.isExact &&
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

/** Returns the edit distance that counts as close; 0 for a short name, which resembles too many words. */
const getMaxDistance = ({ length }: string): number => (length < 5 ? 0 : length < 10 ? 1 : 2);

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
