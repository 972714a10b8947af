import type { ParsedResource } from '../store/found-resource.ts';
import type { Entry } from './entry.ts';
import type { GetDocumentText } from './attachment.ts';
import type { PartialDate } from './partial-date.ts';

export interface BuildContext {
  /** Returns the display of the target and the organization it names or belongs to; null when the record does not hold it. */
  resolve(reference: string): ReferenceTarget | null;
  /** Returns the date of a visit of the record, which a condition without a date borrows. */
  getVisitDate?(reference: string): PartialDate | null;
  /** Returns the text of an attached document by its digest, where it was extracted. */
  getDocumentText?: GetDocumentText;
  /** The resource with the parts that a consent may not cover: whom it is about holds without them too. */
  whole?: ParsedResource;
}

export interface ReferenceTarget {
  display: string | null;
  organization: string | null;
  /** `system|code` of the target, where it has one: a drug prescribed by reference joins the same drug named inline. */
  code?: string | null;
  /** Of a drug whose name does not state it. */
  strength?: string | null;
}

/** The resource to build entries of, and the record around it. */
export interface EntryInput {
  resource: ParsedResource;
  context: BuildContext;
}

/** Every resource type's file exports one of these. */
export type EntryBuilder = (input: EntryInput) => Entry[];

/** Title and text of a resource without a kind of its own: what the files of `other/` build. */
export interface Description {
  title: string | null;
  /** Whether the title only says of which kind it is: a category. */
  isKindAlone?: boolean;
  text: string | null;
}
