import { createHash } from 'node:crypto';
import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { attribute, child, children, first, hasTemplate, textOf } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import { identifier, identifiers } from '../identifiers.ts';
import type { Context } from '../section.ts';
import { dated, instantOf, period } from '../times.ts';
import { securityLabel } from './security.ts';

/** "US Realm Header" of C-CDA: R2.1 gives it an extension, R1.1 none. */
const US_REALM = '2.16.840.1.113883.10.20.22.1.1';

/**
 * The document itself. Its `date` is an instant and given only where the document tells one; `creation` of the attachment
 * is the same time in the precision it was written. The bytes are kept beside the record, so there are no data here.
 */
export function documentReference(
  root: Element,
  { bytes, path }: { bytes: Buffer; path: string },
  { resources, people, narrative, patient, encounter, documentId, documentTime }: Context,
): void {
  const master = child(root, 'id');
  const label = securityLabel(root);
  resources.put({ reference: `DocumentReference/${documentId}` }, '', {
    masterIdentifier: master && identifier(master),
    identifier: identifiersOfSet(root),
    status: 'current',
    docStatus: first(root, 'legalAuthenticator/assignedEntity') === undefined ? undefined : 'final',
    type: concept(child(root, 'code'), narrative),
    subject: patient,
    date: instantOf(documentTime),
    author: children(root, 'author').flatMap(
      (author) => people.assigned(child(author, 'assignedAuthor')) ?? [],
    ),
    authenticator: people.assigned(first(root, 'legalAuthenticator/assignedEntity')),
    custodian: people.organization(
      first(root, 'custodian/assignedCustodian/representedCustodianOrganization'),
    ),
    description: textOf(child(root, 'title')),
    securityLabel: label && [{ coding: [label] }],
    content: [
      {
        attachment: {
          contentType: 'application/hl7-v3+xml',
          language: attribute(child(root, 'languageCode'), 'code'),
          size: bytes.length,
          hash: createHash('sha1').update(bytes).digest('base64'),
          title: textOf(child(root, 'title')) ?? path.split('/').pop(),
          ...dated('creation', documentTime),
        },
        format: format(root),
      },
    ],
    context: {
      encounter: encounter && [encounter],
      period: period(first(root, 'documentationOf/serviceEvent/effectiveTime')),
    },
  });
}

const identifiersOfSet = (root: Element): FhirObject[] => {
  const set = child(root, 'setId');
  const known = set && identifier(set);
  return known ? [known] : identifiers(root).slice(1);
};

/** HL7's format codes of C-CDA; other CDA documents have none here. */
function format(root: Element): FhirObject | undefined {
  if (!hasTemplate(root, US_REALM)) return undefined;
  const release = children(root, 'templateId').some(
    (template) => attribute(template, 'extension') !== undefined,
  )
    ? '2.1'
    : '1.1';
  const body = first(root, 'component/nonXMLBody') === undefined ? 'structuredBody' : 'nonXMLBody';
  return {
    system: 'http://terminology.hl7.org/CodeSystem/v3-HL7DocumentFormatCodes',
    code: `urn:hl7-org:sdwg:ccda-${body}:${release}`,
  };
}
