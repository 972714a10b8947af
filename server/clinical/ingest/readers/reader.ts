import type { Member } from '../archive/member.ts';
import type { Envelope } from './envelope.ts';
import type { ResourceItem } from './fhir-resource.ts';
import type { LabeledWhole } from '../../labels/inherited-labels.ts';

/** A document to be stored as it was uploaded. `file` holds its bytes until the next item is requested. */
export interface Original {
  contentType: string;
  file: string;
  /** In a download of ours the path that it was uploaded under; it comes again, and is stored as it was. */
  uploadedAs?: string;
}

/** `labeled` comes after what is in it, whose labels it says. */
export type MemberItem = ResourceItem | { original: Original } | { labeled: LabeledWhole };

/** Reads a kind of file. The first of the readers that accepts a member reads it. */
export interface Reader {
  name: string;
  /** `head` is the start of the member (up to 64 KiB, decoded). */
  accepts(head: Buffer, path: string): boolean;
  /** Yields items in the order of the file; throws nothing about content: what is wrong is a rejection. */
  read(member: Member, envelope: Envelope): AsyncIterable<MemberItem>;
}
