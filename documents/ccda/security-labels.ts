import type { Element } from 'slimdom';
import { CONFIDENTIALITY, toCodeSystem } from './code-systems.ts';
import { getAttribute, getChild, getChildren, hasTemplateId, HL7_V3_NS, selectAll } from './elements.ts';
import type { FhirObject } from './fhir-values.ts';
import { collectReferences } from './collect-references.ts';
import { listSections } from './list-sections.ts';
import type { PositionedResource } from './resource-list.ts';
import type { CdaEntry, Context } from './section.ts';

const ACT_CODE = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';

const NAMES = new Map([
  ['R', 'restricted'],
  ['V', 'very restricted'],
]);

/** v3 Confidentiality up to normal: unrestricted, low, moderate. */
const NOT_RESTRICTED = new Set(['U', 'L', 'M', 'N']);

/** Of DS4P ("Data Segmentation for Privacy", HL7 CDA R2): an observation of how confidential, or how sensitive, something is. */
const CONFIDENTIALITY_OBSERVATION = '2.16.840.1.113883.3.445.21';
const SECURITY_CODES = new Set(['SECCLASSOBS', 'SECCATOBS']);
/** Its annotation, of nothing but such observations. */
const PRIVACY_ANNOTATION = '2.16.840.1.113883.3.445.4';

/** Returns the `securityLabel` of the document. */
export function toSecurityLabel(root: Element): FhirObject | undefined {
  const code = getAttribute(getChild(root, 'confidentialityCode'), 'code');
  return code === undefined ? undefined : toLabel(CONFIDENTIALITY, code);
}

const toLabel = (system: string, code: string): FhirObject => ({ system, code, display: NAMES.get(code) });

/** What labels a part of a document has, by the positions that they cover. */
interface LabeledPart {
  covers(position: string): boolean;
  labels: readonly FhirObject[];
}

type GetSecurityLabels = Context['getSecurityLabels'];

/**
 * Reads the security labels of a document and of its parts. That of the header is one of everything in it (CDA R2 §4.2.2.5); that of
 * the body, of a section or of an entry is added to it for what is within, and lowers nothing: the header's may be the highest of
 * its parts, or all that the sender says.
 */
export function readSecurityLabels(root: Element): GetSecurityLabels {
  const parts: LabeledPart[] = [
    { covers: () => true, labels: listOwnLabels(root) },
    ...['component/structuredBody', 'structuredBody', 'component/nonXMLBody', 'nonXMLBody'].flatMap((path) =>
      selectAll(root, path).map((body) => ({
        covers: (position: string) => BODY.test(position),
        labels: listOwnLabels(body),
      })),
    ),
    ...listSections(root).flatMap(({ element, position, entries }) => [
      { covers: isWithin(position), labels: listOwnLabels(element) },
      ...entries.map((entry) => toLabeledEntry(entry, position)),
    ]),
  ].filter(({ labels }) => labels.length > 0);
  return (position) => joinLabels(parts.filter(({ covers }) => covers(position)));
}

const BODY = /^(?:section\[|component\.nonXMLBody)/;

const isWithin =
  (whole: string) =>
  (position: string): boolean =>
    position === whole || position.startsWith(`${whole}.`);

function listOwnLabels(element: Element): FhirObject[] {
  const label = toSecurityLabel(element);
  return label === undefined || NOT_RESTRICTED.has(label['code'] as string) ? [] : [label];
}

/** The note of a section has the narrative of its entries. An entry that is nothing but a label is one of its section. */
function toLabeledEntry({ statement, position }: CdaEntry, section: string): LabeledPart {
  const isOfSection = hasTemplateId(statement, PRIVACY_ANNOTATION) || isSecurityObservation(statement);
  const covers = isWithin(isOfSection ? section : position);
  const observations = [statement, ...statement.getElementsByTagNameNS(HL7_V3_NS, 'observation')];
  return {
    covers: (each) => each === section || covers(each),
    labels: observations.filter(isSecurityObservation).flatMap(listObservedLabels),
  };
}

const isSecurityObservation = (element: Element): boolean =>
  element.localName === 'observation' &&
  (hasTemplateId(element, CONFIDENTIALITY_OBSERVATION) ||
    SECURITY_CODES.has(getAttribute(getChild(element, 'code'), 'code') ?? ''));

const listObservedLabels = (observation: Element): FhirObject[] =>
  getChildren(observation, 'value').flatMap((value) => {
    const code = getAttribute(value, 'code');
    const system = toCodeSystem(getAttribute(value, 'codeSystem')) ?? CONFIDENTIALITY;
    if (code === undefined || ![CONFIDENTIALITY, ACT_CODE].includes(system)) return [];
    return system === CONFIDENTIALITY && NOT_RESTRICTED.has(code) ? [] : [toLabel(system, code)];
  });

function joinLabels(parts: readonly { labels: readonly FhirObject[] }[]): FhirObject[] {
  const labels = new Map<string, FhirObject>();
  for (const label of parts.flatMap((part) => part.labels))
    labels.set(JSON.stringify([label['system'], label['code']]), label);
  return [...labels.values()];
}

/** Labels the resources of a document. */
export function applySecurityLabels(
  getLabels: GetSecurityLabels,
  items: readonly PositionedResource[],
): PositionedResource[] {
  const labels = new Map(items.map((item) => [item, getLabels(item.position)]));
  labelPeople(labels);
  return items.map((item) => {
    const security = labels.get(item) ?? [];
    const { resourceType, id, ...content } = item.resource;
    return security.length === 0
      ? item
      : { resource: { resourceType, id, meta: { security }, ...content }, position: item.position };
  });
}

/**
 * People and places are made once, for all parts that name them. One whom only labeled parts name has their labels; a document
 * that names the same physician elsewhere says nothing there that is restricted. A role is of somebody, who comes after it.
 */
function labelPeople(labels: Map<PositionedResource, readonly FhirObject[]>): void {
  if (labels.values().every((each) => each.length === 0)) return;
  const namedBy = Map.groupBy(
    labels
      .keys()
      .filter(({ resource }) => resource.resourceType !== 'Provenance')
      .flatMap((item) => collectReferences(item.resource).map((reference) => ({ reference, item }))),
    ({ reference }) => reference,
  );
  for (let round = 0; round < PEOPLE_ROUNDS; round++)
    for (const [person, own] of labels) {
      const { resourceType, id } = person.resource;
      const naming = namedBy.get(`${resourceType}/${id}`) ?? [];
      if (own.length > 0 || naming.length === 0 || !person.position.startsWith(`${resourceType}[`)) continue;
      const theirs = naming.map(({ item }) => ({ labels: labels.get(item) ?? [] }));
      if (theirs.every((each) => each.labels.length > 0)) labels.set(person, joinLabels(theirs));
    }
}

/** A role, who has it, and for whom. */
const PEOPLE_ROUNDS = 3;
