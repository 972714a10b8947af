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
  if (!file) return { value: environment[name] || undefined, source: name, fault: null };
  try {
    const value = fs.readFileSync(file, 'utf8').trim();
    const fault = value === '' ? `${source} must name a file that holds a value; this one is empty` : null;
    return { value: value || undefined, source, fault };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = UNREADABLE.get(code ?? '') ?? 'reading it fails';
    return { value: undefined, source, fault: `${source} must name a file that can be read; ${reason}` };
  }
}

const UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is none of this name'],
  ['EACCES', 'this user may not read it'],
  ['EISDIR', 'this is a folder'],
]);
