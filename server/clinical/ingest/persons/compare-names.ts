import type { NameReading } from './name-reading.ts';

/**
 * Says whether two names may be of one person: the family name and a given name agree, and nothing that both state differs.
 * A part that one of them leaves out (middle names, a second surname) is no difference; a nickname is one: it looks
 * like any other name.
 */
export function mayBeSameName(one: NameReading, other: NameReading): boolean {
  if (one.generation !== null && other.generation !== null && one.generation !== other.generation)
    return false;
  // Given and family name are exchanged in many systems.
  if (isSameSet([...one.given, ...one.family], [...other.given, ...other.family])) return true;
  return agreeInFamily(one, other) && agreeInGiven(one, other) && !differInMiddle(one, other);
}

/** Words in front of family names that systems leave out, move or write together. */
const PARTICLES = new Set(
  'de del la las los y e da das do dos di van von der den le el al bin ibn af zu'.split(' '),
);

function getSignificant(words: readonly string[]): readonly string[] {
  const significant = words.filter((word) => !PARTICLES.has(word));
  return significant.length > 0 ? significant : words;
}

/**
 * Of two surnames one may be missing, or stand among the given names: "Lopez Garcia" is "Lopez" to some systems, and
 * "Maria Lopez Garcia" to others has the family name "Garcia" alone.
 */
function agreeInFamily(one: NameReading, other: NameReading): boolean {
  if (one.family.length === 0 || other.family.length === 0) return true;
  if (isSameWord(one.family.join(''), other.family.join(''))) return true;
  return isWithin(one.family, other) || isWithin(other.family, one);
}

const isWithin = (family: readonly string[], { given, family: theirs }: NameReading): boolean =>
  getSignificant(family).every((word) =>
    [...given.slice(1), ...theirs].some((their) => isSameWord(word, their)),
  );

/** The first given name of one is any of the other's, or its initial: many go by their second. */
function agreeInGiven({ given: one }: NameReading, { given: other }: NameReading): boolean {
  const [first, otherFirst] = [one[0], other[0]];
  if (first === undefined || otherFirst === undefined) return true;
  if (isSameWord(one.join(''), other.join(''))) return true;
  return (
    other.some((word) => isSameOrInitial(first, word)) ||
    one.some((word) => isSameOrInitial(otherFirst, word))
  );
}

/** Both state middle names, and none of them agree. A surname that stands among them is none. */
function differInMiddle(one: NameReading, other: NameReading): boolean {
  const [mine, theirs] = [getMiddle(one, other), getMiddle(other, one)];
  if (mine.length === 0 || theirs.length === 0) return false;
  if (isSameWord(one.given.join(''), other.given.join(''))) return false;
  return !(
    mine.some((word) => other.given.some((their) => isSameOrInitial(word, their))) ||
    theirs.some((word) => one.given.some((their) => isSameOrInitial(word, their)))
  );
}

const getMiddle = ({ given }: NameReading, { family }: NameReading): string[] =>
  given.slice(1).filter((word) => !family.some((their) => isSameWord(word, their)));

const isSameOrInitial = (one: string, other: string): boolean =>
  isSameWord(one, other) ||
  (one.length === 1 && other.startsWith(one)) ||
  (other.length === 1 && one.startsWith(other));

/** "Müller" is also written "Mueller". */
const isSameWord = (one: string, other: string): boolean => one === other || fold(one) === fold(other);

const fold = (word: string): string => word.replace(/([aou])e/g, '$1');

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.toSorted().join(' ') === other.toSorted().join(' ');
