import type { RestrictedScope } from '../../../../contract/data-categories.ts';
import { combineMasks, toLabelMask } from '../../../consent/access/sensitivity-labels.ts';
import { classifyResource, type Classification } from '../../labels/classify-resource.ts';
import type { MentioningResource } from '../../labels/find-redactions.ts';
import { separateInlineMembers } from '../../labels/inline-members.ts';
import type { Mention } from '../../labels/mentions.ts';
import type { ClassifyWords } from '../../labels/word-classifier.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import type { ResourceRow } from '../../store/resources.sql.ts';
import type { LoadTexts } from './attachment-texts.ts';
import { listInheritedMentions, toOwnContent } from './inherit-from-wholes.ts';
import { addFetched } from './own-labels.ts';

interface ParsedRow {
  row: ResourceRow;
  resource: ParsedResource;
  mentions: Mention[];
  /** What a bill answers, where the record holds it. */
  claims: readonly MentioningResource[];
}

interface Reading {
  texts: Awaited<ReturnType<LoadTexts>>;
  classifyWords: ClassifyWords;
}

/** Classifies a resource; what members of a bill say by themselves is named by it, and not of the whole. */
export function classifyRow<Row extends ParsedRow>(
  each: Row,
  { texts, classifyWords }: Reading,
): Row & { classification: Classification } {
  const { row, resource, claims } = each;
  const reading = { getText: (digest: string) => texts.get(digest) ?? null, classifyWords };
  const whole = classifyResource(toOwnContent(each), reading.getText, classifyWords);
  const { classes, members } = separateInlineMembers(resource, whole.classes, reading);
  const toFetched = (mention: Mention): Mention => ({ ...mention, labels: addFetched(mention.labels, row) });
  const addressed = classifyAddresses(each.mentions, classifyWords);
  return {
    ...each,
    mentions: [
      ...each.mentions.map((mention) => {
        const classes = addressed.parts.get(mention);
        return classes === undefined ? mention : toFetched(addClasses(mention, classes));
      }),
      ...[...members, ...listInheritedMentions(each)].map(toFetched),
    ],
    claims: claims.map((claim) => ({ ...claim, mentions: claim.mentions.map(toFetched) })),
    classification: { ...whole, classes: [...new Set([...classes, ...addressed.whole])] },
  };
}

const addClasses = (mention: Mention, classes: Iterable<RestrictedScope>): Mention => ({
  ...mention,
  labels: combineMasks(mention.labels, toLabelMask([...classes])),
});

/** Reads the words of addresses: where something was and who did it, of the whole resource; of what else it names, of that part. */
function classifyAddresses(
  mentions: readonly Mention[],
  classifyWords: ClassifyWords,
): { whole: Set<RestrictedScope>; parts: Map<Mention, Set<RestrictedScope>> } {
  const whole = new Set<RestrictedScope>();
  const parts = new Map<Mention, Set<RestrictedScope>>();
  for (const mention of mentions) {
    if (mention.address === undefined) continue;
    const classes = classifyWords([], mention.address.names);
    if (classes.size === 0) continue;
    if (mention.address.isOfWhole) for (const name of classes) whole.add(name);
    else parts.set(mention, classes);
  }
  return { whole, parts };
}
