import { isVaccine, toConceptId, type Concept } from './concept.ts';
import type { PhraseMatch } from './phrase-trie.ts';
import type { Vocabulary } from './vocabulary.ts';

export const VACCINE_NOT_GIVEN = toConceptId('vaccine-not-given');

const MAX_DISTANCE = 60;

/** "Patient refused flu vaccine", "se negó a la vacuna"; "vaccine declined", "Impfung abgelehnt" behind it. */
const BEFORE =
  /(?<!\p{L})(?:refus(?:ed|es|al of)|declin(?:ed|es)|reject(?:ed|s)|rechaz(?:ó|a)|se neg(?:ó|aron) a|lehnt(?:e)?|verweigert(?:e)?)\s+(?:[\p{L}\p{N}’'-]+\s+){0,3}$/iu;
const AFTER =
  /^[^.;:,\n]{0,30}?(?<!\p{L})(?:refused|declined|rejected|not given|not administered|rechazad[oa]s?|no administrad[oa]s?|abgelehnt|verweigert|nicht verabreicht)(?!\p{L})/iu;

/** What a text says of a vaccine that it names: that it was refused or not given. */
export function findRefused(
  vocabulary: Vocabulary,
  { start, end, concepts }: Pick<PhraseMatch, 'start' | 'end' | 'concepts'>,
  { body, vaccines }: { body: string; vaccines: readonly Concept[] },
): readonly Concept[] {
  if (vaccines.length === 0 && !concepts.some(isVaccine)) return [];
  const isRefused =
    BEFORE.test(body.slice(Math.max(0, start - MAX_DISTANCE), start)) ||
    AFTER.test(body.slice(end, end + MAX_DISTANCE));
  return isRefused ? [vocabulary.getConcept(VACCINE_NOT_GIVEN)].flatMap((each) => each ?? []) : [];
}
