import type { Cluster } from '../../../clinical/search/cluster-hits.ts';

type Side = 'left' | 'right';

const WORDS: Readonly<Record<Side, string>> = {
  left: 'left|izquierd[oa]s?|link(?:e[nrsm]?)',
  right: 'right|derech[oa]s?|recht(?:e[nrsm]?)',
};
const BOTH = /(?<!\p{L})(?:both|bilateral\p{L}*|amb[oa]s|beid(?:e[nr]?|seitig\p{L}*))(?!\p{L})/iu;
const compile = (words: string): RegExp => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
const NAMED: Readonly<Record<Side, RegExp>> = { left: compile(WORDS.left), right: compile(WORDS.right) };

/** "Right now", "left against medical advice", "what is left" name no side. */
const NO_SIDE =
  /(?<!\p{L})(?:right (?:now|away|after|before|dose|drug|medication)|all right|left (?:against|ama|the|without|before|off|over|out|work|home)|(?:is|are|was|were|i|he|she|they|have|has|had) left(?!\s+\p{L}))(?!\p{L})/giu;

/** Says where results are of the other side than the one that is asked for: a part of the body is found without its side. */
export function renderOtherSide(
  query: string,
  shown: readonly { hit: Pick<Cluster['hit'], 'body' | 'entry'> }[],
): string | null {
  const asked = query.replace(NO_SIDE, ' ');
  const sides = (['left', 'right'] as const).filter((side) => NAMED[side].test(asked));
  const [side] = sides;
  if (side === undefined || sides.length > 1 || BOTH.test(asked)) return null;
  const other = side === 'left' ? 'right' : 'left';
  const texts = shown.map(({ hit: { body, entry } }) => `${entry.title}\n${getSite(entry)}\n${body}`);
  const isOfSide = (text: string): boolean => NAMED[side].test(text) || BOTH.test(text);
  if (!texts.some((text) => NAMED[other].test(text) && !isOfSide(text))) return null;
  return texts.some(isOfSide)
    ? `What names the ${other} side alone is not of the ${side} side, which is asked for.`
    : `No result names the ${side} side, which is asked for; what names the ${other} side is not of it.`;
}

const getSite = ({ detail }: Cluster['hit']['entry']): string =>
  (detail as { bodySite?: string | null }).bodySite ?? '';
