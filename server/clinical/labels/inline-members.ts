import type { RestrictedScope } from '../../../contract/data-categories.ts';
import { labelBit, toLabelMask } from '../../consent/access/sensitivity-labels.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { listBillParts } from './bill-items.ts';
import { classifyResource } from './classify-resource.ts';
import type { GetExtractedText } from './embedded-content.ts';
import type { Mention } from './mentions.ts';
import { removeMembers } from './remove-members.ts';
import { BILLS } from './target-labels.ts';
import type { ClassifyWords } from './word-classifier.ts';

/** Lists of a bill whose members may say by themselves what was found, done or is known, and go with the items that are for them. */
const LISTS = ['diagnosis', 'procedure', 'supportingInfo', 'information'];

/** Lists the diagnoses, procedures and other members of a bill that are of a restricted class by what they say themselves. */
export function listInlineMembers(bill: ParsedResource, classifyWords: ClassifyWords): Mention[] {
  return LISTS.flatMap((list) => {
    const members: unknown = bill[list];
    return (Array.isArray(members) ? (members as unknown[]) : []).flatMap((member, index) => {
      const alone = { resourceType: bill.resourceType, [list]: [member] };
      const { classes } = classifyResource(alone, undefined, classifyWords);
      if (classes.length === 0) return [];
      return [{ pointer: [list, index], labels: toLabelMask(classes), target: null, words: [] }];
    });
  });
}

/**
 * Separates the classes of a bill that only such members have, and the items for them, from those of the whole: a class of which
 * anything else of the bill speaks, but for the narrative that repeats it, is one of the whole.
 */
export function separateInlineMembers(
  bill: ParsedResource,
  classes: RestrictedScope[],
  { getText, classifyWords }: { getText: GetExtractedText; classifyWords: ClassifyWords },
): { classes: RestrictedScope[]; members: Mention[] } {
  if (classes.length === 0 || !BILLS.has(bill.resourceType)) return { classes, members: [] };
  const members = listInlineMembers(bill, classifyWords);
  const parts = [...members, ...listBillParts(bill, members)];
  const isOfWhole = (name: RestrictedScope): boolean => {
    const pointers = parts.flatMap(({ labels, pointer }) =>
      (labels & labelBit(name)) === 0 ? [] : [pointer],
    );
    if (pointers.length === 0) return true;
    const rest = removeMembers(bill, [...pointers, ['text']]);
    return classifyResource(rest, getText, classifyWords).classes.includes(name);
  };
  return { classes: classes.filter(isOfWhole), members };
}
