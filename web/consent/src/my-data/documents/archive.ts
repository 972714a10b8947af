/** What one upload may hold; the service refuses more. */
export const MOST_BYTES = 100 * 1024 * 1024;

export interface Archive {
  blob: Blob;
  name: string;
}

/** What the service takes: a single zip file as it is, anything else in one, unpacked since most of it is packed already. */
export async function archiveOf(files: readonly File[]): Promise<Archive> {
  const [only, ...more] = files;
  if (only && more.length === 0 && /\.zip$/i.test(only.name)) return { blob: only, name: only.name };
  const { downloadZip } = await import('client-zip');
  const blob = await downloadZip(namedApart(files)).blob();
  return { blob, name: 'documents.zip' };
}

/** Files of different folders may have the same name; in an archive each has its own. */
export function namedApart(files: readonly File[]): { input: File; name: string }[] {
  const taken = new Map<string, number>();
  return files.map((input) => {
    const before = taken.get(input.name) ?? 0;
    taken.set(input.name, before + 1);
    return { input, name: before === 0 ? input.name : numbered(input.name, before + 1) };
  });
}

const numbered = (name: string, number: number): string =>
  name.replace(/(\.[^.]*)?$/, (ending) => ` (${number})${ending}`);

export const sizeOf = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);
