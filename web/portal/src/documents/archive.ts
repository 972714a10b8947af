import { PACKED_ARCHIVE_NAME } from '../../../../contract/account/packed-archive.ts';
/** The service refuses larger uploads: `MAX_UPLOAD_BYTES` of contract/account/uploads.ts, which would bring zod into the bundle. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;

export interface Archive {
  blob: Blob;
  name: string;
}

/**
 * Returns what the service takes: a single zip file as it is, anything else in an archive without compression, since
 * most of it is compressed already.
 */
export async function createArchive(files: readonly File[]): Promise<Archive> {
  const [only, ...more] = files;
  if (only && more.length === 0 && /\.zip$/i.test(only.name)) return { blob: only, name: only.name };
  const { downloadZip } = await import('client-zip');
  const blob = await downloadZip(deduplicateNames(files)).blob();
  return { blob, name: PACKED_ARCHIVE_NAME };
}

/** Numbers equal names, which files of different folders may have and an archive may not. */
export function deduplicateNames(files: readonly File[]): { input: File; name: string }[] {
  const counts = new Map<string, number>();
  return files.map((input) => {
    const count = counts.get(input.name) ?? 0;
    counts.set(input.name, count + 1);
    return { input, name: count === 0 ? input.name : appendNumber(input.name, count + 1) };
  });
}

const appendNumber = (name: string, number: number): string =>
  name.replace(/(\.[^.]*)?$/, (ending) => ` (${number})${ending}`);

export const sumSizes = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);
