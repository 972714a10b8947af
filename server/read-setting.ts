import fs from 'node:fs';

interface SettingValue {
  value: string | undefined;
  /** The variable that it comes from, `DATABASE_URL` or `DATABASE_URL_FILE`. */
  source: string;
  /** A sentence about a file that holds no value. */
  fault: string | null;
}

/** Reads a variable as it is written, from its file where `NAME_FILE` names one. */
export function readSetting(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): SettingValue {
  const source = `${name}_FILE`;
  const file = environment[source];
  const given = environment[name] || undefined;
  if (!file) return { value: given, source: name, fault: null };
  try {
    const value = fs.readFileSync(file, 'utf8').trim();
    if (value === '')
      return {
        value: undefined,
        source,
        fault: `${source} must name a file that holds a value; this one is empty`,
      };
    if (given !== undefined && given !== value)
      return {
        value: undefined,
        source,
        fault: `${name} and ${source} must not both be set, to different values`,
      };
    return { value, source, fault: null };
  } catch (error) {
    return {
      value: undefined,
      source,
      fault: `${source} must name a file that can be read; ${explainUnreadable(error)}`,
    };
  }
}

/** Returns why a file cannot be read, in a clause. */
export const explainUnreadable = (error: unknown): string =>
  UNREADABLE.get((error as NodeJS.ErrnoException).code ?? '') ?? 'reading it fails';

const UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is none of this name'],
  ['EACCES', 'this user may not read it'],
  ['EISDIR', 'this is a folder'],
]);
