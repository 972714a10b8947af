import type { ParsedResource } from '../store/found-resource.ts';
import type { Entry } from './entry.ts';
import type { GetDocumentText } from './attachment.ts';

export interface BuildContext {
  /** What a reference points to, when the record holds it: its own name, and the organization it names or belongs to. */
  resolve(reference: string): ReferenceTarget | null;
  /** The words of an attached document, by its digest, where they were read. */
  getDocumentText?: GetDocumentText;
}

export interface ReferenceTarget {
  display: string | null;
  organization: string | null;
  /** `system|code` of the target, where it has one: a drug prescribed by reference joins the same drug named inline. */
  code?: string | null;
}

/** The resource at hand and what surrounds it. */
export interface EntryInput {
  resource: ParsedResource;
  context: BuildContext;
}

/** Every resource type's file exports one of these. */
export type EntryBuilder = (input: EntryInput) => Entry[];

/** Title and text of a resource without a kind of its own: what the files of `other/` build. */
export interface Description {
  title: string | null;
  text: string | null;
}
