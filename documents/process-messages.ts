import type { Conversion, DocumentToConvert } from './converter.ts';

/** What a process for documents is started with, as its only argument. */
export interface ProcessData {
  /** The URL of a module that exports `converters`. */
  modules: string;
  /** Bytes of memory, all in all. */
  memory: number;
}

/** As JSON in a frame of its own; the document follows in the next. */
export type Request = { ms: number } & (
  | ({ task: 'convert' } & Omit<DocumentToConvert, 'bytes'>)
  | { task: 'text' }
);

/** As JSON in a frame, after one with `ready`. */
export type Reply =
  | { conversion: Conversion }
  | { text: string | null }
  | { unreadable: { code: string; message: string } };

/** The pipe between the two, in both directions. */
export const PIPE = 3;
