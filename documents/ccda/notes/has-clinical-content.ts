/**
 * Lines with which programs fill an empty section: "No information", "None", "Procedure excluded/not available". "No known
 * allergies" is not among them: it is a finding.
 */
const NO_INFORMATION = new RegExp(
  `^\\W*(?:${[
    'none(?: recorded| documented| on file| available| specified)?',
    'n/?a',
    'nil',
    'unknown',
    '(?:there (?:is|are) )?no (?:[a-z/-]+ ){0,4}(?:information|data|entries|records?|documentation)(?: [a-z/-]+){0,6}',
    'no (?:[a-z/-]+ ){1,3}(?:on file|recorded|documented|available|provided)',
    '(?:[a-z/-]+ ){0,4}(?:excluded/)?not (?:available|recorded|documented|applicable|specified|provided|on file)',
  ].join('|')})\\W*$`,
  'i',
);
const MAX_PLACEHOLDER_LENGTH = 120;
/** The other cells of such a row: a date, a status. */
const FILLER = /^(?:[\d/:.\s-]*|active|completed|final|status:?)$/i;

/** Says whether a narrative, without its headings, has any clinical content. */
export function hasClinicalContent(text: string): boolean {
  return text
    .split(/\n| ?\| ?/)
    .some(
      (part) =>
        !FILLER.test(part) &&
        (part.length > MAX_PLACEHOLDER_LENGTH || !NO_INFORMATION.test(part)) &&
        /[\p{L}\p{N}]/u.test(part),
    );
}
