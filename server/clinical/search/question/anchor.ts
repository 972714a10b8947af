import type { ConceptKind } from '../../concepts/concept.ts';
import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import { compilePattern, findMatches, type Span } from './text-pattern.ts';

/** An event of the record that the question counts time from: "before my surgery". */
interface Anchor extends Span {
  side: 'before' | 'after';
  match: PhraseMatch;
}

const OF =
  '(?: (?:my|his|her|their|our|i|he|she|we|they|had|has|was|got|mi|su|the|a|an|la|el|una?|meiner?|meinem?|der|dem|den|einer?|last|first))*';
const PREPOSITION = compilePattern(
  `(?:(?<before>before|prior to|leading up to|antes del?|vor)|(?<after>after|since|following|despues del?|desde|tras|nach|seit))${OF}`,
);

/** What happens on a day; time is not counted from a drug or a body part. */
const EVENTS = new Set<ConceptKind>(['procedures', 'visits', 'conditions', 'vaccines', 'devices']);

/** Finds such an event; the question must ask for something else too, or "after surgery" would ask for nothing. */
export function findAnchor(
  text: string,
  matches: readonly PhraseMatch[],
  kinds: readonly Span[],
): Anchor | null {
  for (const { span, groups } of findMatches(text, PREPOSITION)) {
    const match = matches.find(
      ({ start }) => start > span.end - 1 && text.slice(span.end, start).trim() === '',
    );
    if (match === undefined || !match.concepts.some(({ kind }) => EVENTS.has(kind))) continue;
    const isElse = (part: Span): boolean => part.end <= span.start || part.start >= match.end;
    if (![...matches, ...kinds].some(isElse)) continue;
    return {
      start: span.start,
      end: match.end,
      side: groups['before'] === undefined ? 'after' : 'before',
      match,
    };
  }
  return null;
}
