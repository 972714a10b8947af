import { createHash } from 'node:crypto';
import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import { getAttribute, getChild, getChildren, selectFirst, hasTemplateId, getText } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import { toIdentifier, toIdentifiers } from '../identifiers.ts';
import type { Context } from '../section.ts';
import { toSecurityLabel } from '../security-labels.ts';
import { buildDateTime, buildInstant, toPeriod } from '../times.ts';

/** "US Realm Header" of C-CDA: R2.1 gives it an extension, R1.1 none. */
const US_REALM = '2.16.840.1.113883.10.20.22.1.1';

/**
 * Adds the document itself. Its `date` is an instant and only set where the document has one; `creation` of the attachment
 * is the same time in the precision it was written. The bytes are stored outside of the record, so there is no `data`.
 */
export function addDocumentReference(
  root: Element,
  { bytes, path }: { bytes: Buffer; path: string },
  { resources, people, narrative, patient, encounter, documentId, documentTime }: Context,
): void {
  const master = getChild(root, 'id');
  const label = toSecurityLabel(root);
  resources.put({ reference: `DocumentReference/${documentId}` }, '', {
    masterIdentifier: master && toIdentifier(master),
    identifier: getSetIdentifiers(root),
    status: 'current',
    docStatus: selectFirst(root, 'legalAuthenticator/assignedEntity') === undefined ? undefined : 'final',
    type: toCodeableConcept(getChild(root, 'code'), narrative),
    subject: patient,
    ...buildInstant('date', documentTime),
    author: getChildren(root, 'author').flatMap(
      (author) => people.resolveAssigned(getChild(author, 'assignedAuthor')) ?? [],
    ),
    authenticator: people.resolveAssigned(selectFirst(root, 'legalAuthenticator/assignedEntity')),
    custodian: people.resolveOrganization(
      selectFirst(root, 'custodian/assignedCustodian/representedCustodianOrganization'),
    ),
    description: getText(getChild(root, 'title')),
    securityLabel: label && [{ coding: [label] }],
    content: [
      {
        attachment: {
          contentType: 'application/hl7-v3+xml',
          language: getAttribute(getChild(root, 'languageCode'), 'code'),
          size: bytes.length,
          hash: createHash('sha1').update(bytes).digest('base64'),
          title: getText(getChild(root, 'title')) ?? path.split('/').pop(),
          ...buildDateTime('creation', documentTime),
        },
        format: toDocumentFormat(root),
      },
    ],
    context: {
      encounter: encounter && [encounter],
      period: toPeriod(selectFirst(root, 'documentationOf/serviceEvent/effectiveTime')),
    },
  });
}

const getSetIdentifiers = (root: Element): FhirObject[] => {
  const set = getChild(root, 'setId');
  const known = set && toIdentifier(set);
  return known ? [known] : toIdentifiers(root).slice(1);
};

/** Returns HL7's format code of a C-CDA document; other CDA documents have none. */
function toDocumentFormat(root: Element): FhirObject | undefined {
  if (!hasTemplateId(root, US_REALM)) return undefined;
  const release = getChildren(root, 'templateId').some(
    (template) => getAttribute(template, 'extension') !== undefined,
  )
    ? '2.1'
    : '1.1';
  const body = selectFirst(root, 'component/nonXMLBody') === undefined ? 'structuredBody' : 'nonXMLBody';
  return {
    system: 'http://terminology.hl7.org/CodeSystem/v3-HL7DocumentFormatCodes',
    code: `urn:hl7-org:sdwg:ccda-${body}:${release}`,
  };
}
