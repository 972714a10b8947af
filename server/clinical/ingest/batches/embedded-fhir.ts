import { isFhir } from '../../../../documents/fhir/mentions-fhir.ts';
import { readAttachment } from '../../entries/attachment.ts';
import { listContents } from '../../labels/embedded-content.ts';
import type { FoundResource } from '../../store/found-resource.ts';
import { mayHoldContent } from '../persons/attached-persons.ts';

/** Whether an attachment of a resource or a Binary is FHIR. Its class is read, its facts are not. */
export const holdsFhir = (found: FoundResource): boolean =>
  mayHoldContent(found) &&
  listContents(found.resource).some(({ element }) => isFhir(readAttachment(element)?.text ?? ''));
