import { toConceptId, type Concept } from './concept.ts';
import type { Vocabulary } from './vocabulary.ts';

const HISTORY = /^history-of-/;

/**
 * The concepts that one speaks of besides itself: "mother had breast cancer" is a family history, and says breast cancer of a
 * relative; where a history of stroke is denied, so is the stroke.
 */
export function listUnderlying(vocabulary: Vocabulary, { kind, slug, related }: Concept): Concept[] {
  if (kind === 'family-history') return related.flatMap((id) => vocabulary.getConcept(id) ?? []);
  return HISTORY.test(slug)
    ? [vocabulary.getConcept(toConceptId(slug.replace(HISTORY, '')))].filter((each) => each !== undefined)
    : [];
}
