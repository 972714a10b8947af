import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { flattenTree, getPath, joinPresent, readText, toElements, type Element } from '../element.ts';
import { parsePartialDate } from '../partial-date.ts';
import { resolveDisplays } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** http://terminology.hl7.org/CodeSystem/consentscope, whose codes stand where words belong. */
const SCOPES = new Map([
  ['adr', 'Advance care directive'],
  ['research', 'Research'],
  ['patient-privacy', 'Privacy'],
  ['treatment', 'Treatment'],
]);

const TYPES = new Map([
  ['deny', 'Refused'],
  ['permit', 'Permitted'],
]);

/** An agreement of the patient, and what it permits and refuses: an advance directive says here that nobody resuscitates. */
export function describeConsent(input: EntryInput): Description {
  const { resource } = input;
  const written = formatConcept(resource['scope']);
  const scope = SCOPES.get(written?.toLowerCase() ?? '') ?? written;
  const title = formatConcept(resource['category']) ?? scope;
  const said = flattenTree(resource['provision'], 'provision').flatMap(
    (each) => formatProvision(each, input) ?? [],
  );
  const lines = [
    scope === title ? null : scope,
    formatConcept(resource['policyRule']),
    // Nothing is named: it is all that is agreed to, or refused.
    ...(said.length > 0 ? said : [formatType(getPath(resource['provision'], 'type'))]),
  ];
  return { title, text: joinPresent(lines, '\n') };
}

/** "Refused: Cardiopulmonary resuscitation, until 2027-01-01"; null for one that only holds others. */
function formatProvision(provision: Element, input: EntryInput): string | null {
  const what = [
    ...formatConcepts(provision['code']),
    ...formatConcepts(provision['action']),
    ...formatConcepts(provision['class']),
    ...formatConcepts(provision['purpose']),
    ...toElements(provision['actor']).flatMap(({ reference }) => resolveDisplays(reference, input)),
  ];
  const end = parsePartialDate(getPath(provision, 'period', 'end')).dayText;
  if (what.length === 0) return null;
  return joinPresent(
    [formatType(provision['type']), joinPresent([...what, end && `until ${end}`], ', ')],
    ': ',
  );
}

function formatType(value: unknown): string | null {
  const type = readText(value);
  return TYPES.get(type ?? '') ?? type;
}
