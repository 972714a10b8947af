import { CONFIDENTIALITY } from '../../../documents/ccda/code-systems.ts';
import type { RestrictedScope } from '../../../contract/data-categories.ts';
import { readText, toArray, toElement, toElements, type Element } from '../entries/element.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { locateMembers, spellBytes } from './locate-members.ts';
import { removeRanges } from './redact.ts';
import { parseSecurityLabels, parseSpecificLabels } from './security-labels.ts';

/**
 * Marks a label that a resource has because of what it came in: a Bundle, Parameters or a document. It stands in the resource, since
 * whoever gives it on carries the labels on (FHIR R4, Security Labels), and is marked, since the resource has it beside its own.
 */
export const INHERITED = 'urn:chartgate:label-of-bundle';

/** A security label, as Coding. */
export interface SecurityLabel {
  system: string | null;
  code: string;
  display: string | null;
}

/** A Bundle or Parameters, whose security labels cover what is in it. */
export interface LabeledWhole {
  /** "" for the whole file. */
  position: string;
  /** Whether it is a document, which is one statement; what a search or an export collects was written apart. */
  isDocument: boolean;
  labels: readonly SecurityLabel[];
}

/**
 * Lists the labels of what others came in that say of which class these are: those that say nothing of that (a test, a summary) are
 * not handed on, nor is the degree of confidentiality where another one says what it is about.
 */
export function listLabelsOfWhole(resource: Element): SecurityLabel[] {
  const labels = readLabels(resource);
  const specific = labels.filter(({ code }) => parseSpecificLabels([code]).length > 0);
  const own = specific.length > 0 ? specific : labels.filter(({ code }) => isRestricting(code));
  const confidentiality = readText(resource['confidentiality']);
  if (confidentiality === null || !isRestricting(confidentiality)) return own;
  return [...own, { system: CONFIDENTIALITY, code: confidentiality, display: null }];
}

const isRestricting = (code: string): boolean => parseSecurityLabels([code]).length > 0;

const listSecurity = (resource: Element): Element[] => toElements(toElement(resource['meta'])?.['security']);

const readLabels = (resource: Element): SecurityLabel[] =>
  listSecurity(resource).flatMap((coding) => {
    const code = readText(coding['code']);
    return code === null
      ? []
      : { system: readText(coding['system']), code, display: readText(coding['display']) };
  });

const UNRESTRICTED = new Set(['U', 'L', 'M', 'N']);

/** Whether a resource says itself that it is not restricted: the label of a Bundle may be the highest of what it holds. */
export const isUnrestricted = (resource: Element): boolean =>
  listSecurity(resource).some(
    ({ system, code }) => system === CONFIDENTIALITY && UNRESTRICTED.has(String(code)),
  );

/** Whether a label of a resource is one that it has because of what it came in. */
export const isInheritedLabel = (coding: Element): boolean =>
  toElements(coding['extension']).some(({ url }) => url === INHERITED);

/** Whether a stored text may hold such a label. */
export const mayInherit = (body: string): boolean => body.includes(INHERITED);

/** Lists the classes of the labels that a resource has because of what it came in. */
export const listInheritedClasses = (resource: Element): RestrictedScope[] =>
  listSecurity(resource)
    .filter(isInheritedLabel)
    .flatMap(({ code }) => parseSecurityLabels([String(code)]));

/** Copies a resource without the labels that it has because of what it came in. */
export const withoutInherited = (resource: ParsedResource): ParsedResource => ({
  ...resource,
  meta: {
    ...toElement(resource['meta']),
    security: listSecurity(resource).filter((coding) => !isInheritedLabel(coding)),
  },
});

/** Adds labels to the text of a resource that it has because of what it came in, and leaves every other byte as it is. */
export function addInheritedLabels(
  text: string,
  resource: ParsedResource,
  labels: readonly SecurityLabel[],
): string {
  const own = listSecurity(resource);
  const isKnown = ({ system, code }: SecurityLabel): boolean =>
    own.some(
      (each) =>
        each['code'] === code &&
        readText(each['system']) === system &&
        (isInheritedLabel(each) || parseSpecificLabels([code]).length > 0),
    );
  const added = labels.filter((label) => !isKnown(label)).map(serializeLabel);
  return added.length === 0 ? text : insertLabels(text, added.join(','));
}

/** Lists the labels that a resource has because of what it came in. */
export const listInheritedLabels = (resource: Element): SecurityLabel[] =>
  readLabels({ meta: { security: listSecurity(resource).filter(isInheritedLabel) } });

/** Takes the labels out of the text of a resource that it has because of what it came in. */
export function removeInheritedLabels(text: string, resource: ParsedResource): string {
  const labels = toArray(toElement(resource['meta'])?.['security']).map(toElement);
  const pointers = labels.flatMap((label, index) =>
    label !== null && isInheritedLabel(label) ? [['meta', 'security', index]] : [],
  );
  return pointers.length === 0
    ? text
    : removeRanges(Buffer.from(text), locateMembers(spellBytes(text), pointers)).toString();
}

const serializeLabel = ({ system, code, display }: SecurityLabel): string =>
  JSON.stringify({
    extension: [{ url: INHERITED, valueBoolean: true }],
    ...(system !== null && { system }),
    code,
    ...(display !== null && { display }),
  });

/** Inserts codings into `meta.security`, which it adds where there is none; what is no list or no object gives way to it. */
function insertLabels(text: string, codings: string): string {
  const bytes = Buffer.from(text);
  const found = locateMembers(spellBytes(text), [['meta'], ['meta', 'security']]);
  const meta = found.find(({ index }) => index === 0);
  const security = found.find(({ index }) => index === 1);
  const splice = (start: number, end: number, inserted: string): string =>
    Buffer.concat([bytes.subarray(0, start), Buffer.from(inserted), bytes.subarray(end)]).toString();
  if (meta === undefined) return splice(1, 1, `"meta":{"security":[${codings}]},`);
  if (security !== undefined && bytes[security.end - 1] === 0x5d) {
    const isEmpty = /\[\s*\]$/.test(bytes.toString('utf8', security.start, security.end));
    return splice(security.end - 1, security.end - 1, isEmpty ? codings : `,${codings}`);
  }
  if (security !== undefined) return splice(security.start, security.end, `"security":[${codings}]`);
  const opening = bytes.indexOf('{', meta.start);
  if (bytes[meta.end - 1] !== 0x7d || opening === -1 || opening > meta.end)
    return splice(meta.start, meta.end, `"meta":{"security":[${codings}]}`);
  const isEmpty = /\{\s*\}$/.test(bytes.toString('utf8', opening, meta.end));
  return splice(opening + 1, opening + 1, `"security":[${codings}]${isEmpty ? '' : ','}`);
}
