import type { Words } from '../words/en.ts';

type FileKind = keyof Words['myData']['documents']['fileKinds'];

const KINDS: readonly [RegExp, FileKind][] = [
  [/^application\/pdf$/, 'pdf'],
  [/^application\/rtf$/, 'rtf'],
  [/^text\/html$/, 'html'],
  [/^text\/plain$/, 'text'],
  [/^text\/csv$/, 'table'],
  [/^application\/fhir/, 'fhir'],
  [/^application\/hl7-v3\+xml$/, 'ccda'],
  [/hl7-v2/, 'message'],
  [/^image\//, 'picture'],
  [/^application\/dicom$/, 'scan'],
  [/^video\//, 'video'],
  [/^audio\//, 'sound'],
  [/zip|rar|7z|x-xz/, 'packed'],
];

/** Returns what people call a file of a media type. */
export const toFileKind = (contentType: string): FileKind =>
  KINDS.find(([pattern]) => pattern.test(contentType))?.[1] ?? 'other';

/** Splits a path into its last part and the folder. */
export function splitPath(path: string): { name: string; folder: string } {
  const slash = path.lastIndexOf('/');
  return { name: path.slice(slash + 1), folder: path.slice(0, Math.max(slash, 0)) };
}
