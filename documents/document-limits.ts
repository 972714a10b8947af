import { RESOURCE_LIMITS } from './fhir/resource-limits.ts';

const MiB = 1024 * 1024;

/** What reading one document may cost. Sizes are bytes, times milliseconds. */
export const DOCUMENT_LIMITS = {
  /** Packed or not. Published C-CDAs have up to 0.3 MB; a scanned chart of a hundred pages has 30 MB. */
  documentBytes: 64 * MiB,
  /** Published C-CDAs are read in up to 0.3 s; what takes a hundred times as long is an attack. */
  convertMs: 20_000,
  /** A PDF of a thousand pages may be the print-out of a whole stay in hospital. */
  convertPdfMs: 60_000,
  /** Beyond this a document yields to others. */
  slowMs: 2_000,
  /** The resident memory of a process; it has 60 MB before its first document. */
  memory: 512 * MiB,
  /** V8's heap. The process should end at `memory`, by its own watch: V8 aborts at this limit. */
  heapMb: 480,
  resourceBytes: RESOURCE_LIMITS.bytes,
  resources: 50_000,
  /** More would not fit into the heap together with the tree. */
  outputBytes: 128 * MiB,
  /** A note that is shown and searched: five times the longest print-out of a whole record that is published. */
  textCharacters: 4 * 1024 * 1024,
  /** How long an idle process is kept: it costs 60 MB to keep and 150 ms to start. */
  idleMs: 5_000,
  processes: 2,
} as const;
