import { mentionsFhirJson } from '../../../../documents/fhir/mentions-fhir.ts';
import { readAttachment } from '../../entries/attachment.ts';
import { listContents, type GetExtractedText } from '../../labels/embedded-content.ts';
import { readJson } from '../../labels/json-in-text.ts';
import type { FoundResource } from '../../store/found-resource.ts';
import { readNamedInText, readPersons, type NamedPerson } from './named-person.ts';

/** Bodies without a match hold no content: whatever holds some is walked. */
const MAY_HOLD_CONTENT = /"(?:data|query|\w{0,20}ase64Binary)"\s*:|"url"\s*:\s*"data:|\\u/i;

/** Whether it is worth extracting what is attached to a resource. */
export const mayHoldContent = ({ text }: FoundResource): boolean => MAY_HOLD_CONTENT.test(text);

/**
 * Reads the persons of whom the content of a resource is, attached to it or in a Binary: FHIR, a C-CDA, a document of text that
 * says whose it is. `getText` returns what was extracted of content that is no plain text.
 */
export function readAttachedPersons(
  resource: FoundResource['resource'],
  getText: GetExtractedText,
): NamedPerson[] {
  return listContents(resource).flatMap(({ element }) => {
    const content = readAttachment(element, (digest) => getText(digest)?.text ?? null);
    if (content === null) return [];
    const { besides = [], patients = [] } = getText(content.digest) ?? {};
    const text = content.text ?? '';
    return [
      ...patients.flatMap(readPersons),
      ...[text, ...besides].flatMap(readPersonsInJson),
      ...readNamedInText(text),
    ];
  });
}

function readPersonsInJson(text: string): NamedPerson[] {
  const persons: NamedPerson[] = [];
  if (mentionsFhirJson(text)) readJson(text, (value) => persons.push(...readPersons(value)));
  return persons;
}
