import { createHash } from 'node:crypto';
import { DOCUMENT_LIMITS } from '../../document-limits.ts';
import type { CodeableConcept, FhirObject, Reference } from '../fhir-values.ts';
import type { Context } from '../section.ts';
import { buildDateTime, buildInstant, type Time } from '../times.ts';

export interface Note {
  text: string;
  title: string | undefined;
  type: CodeableConcept;
  author?: Reference | undefined;
  identifier?: FhirObject[];
  /** When the note was written; by default the time of the document. */
  authoredOn?: Time | undefined;
  /** The time of the documented event. */
  eventTime?: Time | undefined;
  encounter?: Reference | undefined;
  /** The file, for a note without text. */
  binary?: { contentType: string; description: string; bytes: Buffer };
}

/** Adds a note as DocumentReference, unless it has neither text nor a file. */
export function addNote(context: Context, position: string, note: Note): void {
  const { resources, patient, encounter, documentTime, documentReference } = context;
  const { text, title, type, author, identifier, authoredOn = documentTime, eventTime, binary } = note;
  if (text === '' && binary === undefined) return;
  const visit = note.encounter ?? encounter;
  resources.add('DocumentReference', position, {
    identifier,
    status: 'current',
    type,
    category: [CLINICAL_NOTE],
    subject: patient,
    ...buildInstant('date', authoredOn),
    author: author && [author],
    description: text === '' ? binary?.description : undefined,
    content: [
      { attachment: { ...buildAttachment(text, binary), title, ...buildDateTime('creation', authoredOn) } },
    ],
    context: {
      encounter: visit && [visit],
      period: eventTime && buildDateTime('start', eventTime),
      related: documentReference && [documentReference],
    },
  });
}

function buildAttachment(text: string, binary: Note['binary']): FhirObject {
  if (text !== '')
    return {
      contentType: 'text/plain; charset=utf-8',
      data: Buffer.from(text.slice(0, DOCUMENT_LIMITS.textCharacters).toWellFormed()).toString('base64'),
    };
  if (binary === undefined) return {};
  const { contentType, bytes } = binary;
  return { contentType, size: bytes.length, hash: createHash('sha1').update(bytes).digest('base64') };
}

const CLINICAL_NOTE: FhirObject = {
  coding: [
    {
      system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
      code: 'clinical-note',
      display: 'Clinical Note',
    },
  ],
};
