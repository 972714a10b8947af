import { formatConcept } from '../codeable-concept.ts';
import { getPath, toElements, joinPresent, readText, type Element } from '../element.ts';
import { resolveDisplay } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** A Claim or ExplanationOfBenefit in one line: half of a Synthea record is bills, and nobody reads their items. */
export function describeClaim(input: EntryInput): Description {
  const { resource } = input;
  const items = toElements(resource['item']).flatMap((item) => formatConcept(item['productOrService']) ?? []);
  const [first] = items;
  const more = items.length > 1 ? ` and ${items.length - 1} more` : '';
  const kind = resource.resourceType === 'Claim' ? 'Claim' : 'Explanation of benefit';
  const amounts = toElements(resource['total']).map(formatAmount);
  const payer = resolveDisplay(resource['insurer'], input) ?? readInsurer(resource);
  return {
    title: first === undefined ? kind : `${kind}: ${first}${more}`,
    text: joinPresent(
      [formatConcept(resource['type']), joinPresent(amounts, ', '), payer, readText(resource['outcome'])],
      '; ',
    ),
  };
}

/** "submitted 129.16 USD": Claim.total is Money, the benefit's are Money with a category. */
function formatAmount(total: Element): string | null {
  const money = joinPresent([readText(total['value']), readText(total['currency'])], ' ');
  const inner = joinPresent(
    [readText(getPath(total, 'amount', 'value')), readText(getPath(total, 'amount', 'currency'))],
    ' ',
  );
  return joinPresent([formatConcept(total['category']), money ?? inner], ' ');
}

function readInsurer(resource: Element): string | null {
  return readText(getPath(resource, 'insurance', 'coverage', 'display'));
}
