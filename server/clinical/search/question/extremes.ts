import type { Extreme } from '../question.ts';
import { compilePattern, findMatches, type Span } from './text-pattern.ts';

/** Words that ask for the highest or the lowest of the values of a test. */
export interface ExtremeExpression extends Span {
  extreme: Extreme;
  /** "Peak" and "max" may be a part of a name ("peak flow"), "highest" is none. */
  mayBeName: boolean;
}

const MY = '(?:(?:the|my|his|her|their|what is|el|la|los|las|lo|mi|su|der|die|das|den|mein|meine[nrs]?) )*';

const RULES: readonly (Omit<ExtremeExpression, keyof Span> & { words: string })[] = [
  { extreme: 'highest', mayBeName: false, words: 'highest|mas alt[oa]s?|hochste[nrsm]?' },
  { extreme: 'lowest', mayBeName: false, words: 'lowest|mas baj[oa]s?|niedrigste[nrsm]?|tiefste[nrsm]?' },
  { extreme: 'highest', mayBeName: true, words: 'max(?:imum)?|peak|maxim[oa]s?|maximal(?:e[nrsm]?|wert)?' },
  { extreme: 'lowest', mayBeName: true, words: 'min(?:imum)?|minim[oa]s?|minimal(?:e[nrsm]?|wert)?' },
];

const PATTERNS = RULES.map(({ words, ...meaning }) => ({
  meaning,
  pattern: compilePattern(`${MY}(?:all time )?(?:${words})(?: ever)?`),
}));

export const findExtremes = (text: string): ExtremeExpression[] =>
  PATTERNS.flatMap(({ meaning, pattern }) =>
    findMatches(text, pattern).map(({ span }) => ({ ...span, ...meaning })),
  );
