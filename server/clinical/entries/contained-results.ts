import type { ParsedResource } from '../store/found-resource.ts';
import { categorizeResource } from './category.ts';
import { readText, toElements, type Element } from './element.ts';
import { formatItself } from './entry-base.ts';
import type { Entry } from './entry.ts';
import { isInError } from './objection.ts';
import { hasKnownCategory } from './observation-kind.ts';
import { isLaboratory } from './report-category.ts';

/** What holds results: others contain an Observation as a reason, which they name themselves. */
const CONTAINERS = new Set(['DiagnosticReport', 'Observation']);

/** Elements that a contained result has from what contains it, where it has none of its own. */
const INHERITED = ['status', 'subject', 'focus', 'encounter', 'performer'];

const DATES = /^_?(?:effective[A-Z]|issued$)/;

/** Elements by which an Observation states something itself. */
const STATEMENTS = /^_?(?:value[A-Z]|component$|dataAbsentReason$|interpretation$|note$)/;

/**
 * Lists the results that a report or a panel contains, as resources of their own: systems that store no result by itself send
 * them so. What they do not say themselves their container says. A panel among them that states nothing is none.
 */
export function listContainedResults(container: ParsedResource): ParsedResource[] {
  if (container['contained'] === undefined || !CONTAINERS.has(container.resourceType)) return [];
  return toElements(container['contained']).flatMap((each, index) => {
    if (each['resourceType'] !== 'Observation' || isInError(each)) return [];
    const isHeading = each['hasMember'] !== undefined && !hasElement(each, STATEMENTS);
    return isHeading ? [] : completeResult(each, { container, index });
  });
}

const hasElement = (holder: Element, names: RegExp): boolean =>
  Object.keys(holder).some((name) => names.test(name));

const LABORATORY = [{ coding: [{ code: 'laboratory' }] }];

function completeResult(
  result: Element,
  { container, index }: { container: ParsedResource; index: number },
): ParsedResource {
  const isDated = hasElement(result, DATES);
  const inherited = Object.entries(container).filter(
    ([name]) => INHERITED.includes(name) || (!isDated && DATES.test(name)),
  );
  const complete: ParsedResource = {
    ...Object.fromEntries(inherited),
    ...result,
    resourceType: 'Observation',
    id: `${readText(container.id) ?? ''}#${readText(result['id']) ?? index}`,
    contained: container['contained'],
    modifierExtension: [
      ...toElements(container['modifierExtension']),
      ...toElements(result['modifierExtension']),
    ],
  };
  if (hasKnownCategory(complete)) return complete;
  return { ...complete, category: isLaboratory(container) ? LABORATORY : container['category'] };
}

/** Returns the entry of a contained result as one of its container: it requires what that does, and stands in its panel. */
export const toContainerEntry = (entry: Entry, container: ParsedResource): Entry => ({
  ...entry,
  category: categorizeResource(container),
  links: [...(entry.links ?? []), { role: 'within', target: formatItself({ resource: container }) }],
});
