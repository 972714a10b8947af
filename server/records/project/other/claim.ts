import { conceptText } from '../codeable-concept.ts';
import { at, elements, joined, text, type Element } from '../element.ts';
import { labelOf } from '../reference.ts';
import type { Source } from '../source.ts';
import type { Description } from './description.ts';

/** A Claim or ExplanationOfBenefit in one line: half of a Synthea record is bills, and nobody reads their items. */
export function claim(source: Source): Description {
  const { resource } = source;
  const items = elements(resource['item']).flatMap((item) => conceptText(item['productOrService']) ?? []);
  const [first] = items;
  const more = items.length > 1 ? ` and ${items.length - 1} more` : '';
  const kind = resource.resourceType === 'Claim' ? 'Claim' : 'Explanation of benefit';
  const amounts = elements(resource['total']).map(amount);
  const payer = labelOf(resource['insurer'], source) ?? insurance(resource);
  return {
    title: first === undefined ? kind : `${kind}: ${first}${more}`,
    text: joined(
      [conceptText(resource['type']), joined(amounts, ', '), payer, text(resource['outcome'])],
      '; ',
    ),
  };
}

/** "submitted 129.16 USD": Claim.total is Money, the benefit's are Money with a category. */
function amount(total: Element): string | null {
  const money = joined([text(total['value']), text(total['currency'])], ' ');
  const inner = joined([text(at(total, 'amount', 'value')), text(at(total, 'amount', 'currency'))], ' ');
  return joined([conceptText(total['category']), money ?? inner], ' ');
}

function insurance(resource: Element): string | null {
  return text(at(resource, 'insurance', 'coverage', 'display'));
}
