import { flattenText, type Span } from './text-pattern.ts';

/** "Denies any", "without signs of", at the end of what stands before a thing. */
const DENIAL =
  /(?<![a-z0-9])(?:no|den(?:y|ies|ied|ying)|without|negative for|absence of|free of|sin|nieg[ao]|negad[oa]s?|ausencia de|kein(?:e[nrms]?)?|ohne|verneint)(?: +(?:any|signs? of|evidence of|symptoms? of|history of|prior|known|hay|signos? de|historia de|antecedentes? de|anzeichen (?:von|fur)|hinweise? auf))* *$/;

/** Finds the words right before a part of a question that deny it; null where none do. */
export function findDenial(text: string, { start }: Span): Span | null {
  const match = DENIAL.exec(flattenText(text).slice(0, start));
  return match === null ? null : { start: match.index, end: start };
}
