import { escapeInline, escapeValue } from './escape-markdown.ts';

/** A missing status is stated: it must never be read as "active". */
export const STATUS_NOT_RECORDED = 'status not recorded';

/** SNOMED CT ends a name with the kind of thing it names, which a reader sees from the table. */
const SEMANTIC_TAG =
  / \((?:disorder|procedure|finding|qualifier value|situation|regime\/therapy|environment|physical object|observable entity|event)\)$/;

/** Entries name a code without a display as `LOINC 106793-3`. */
const BARE_CODE = /^(?:LOINC|SNOMED CT|RxNorm|CVX|ICD-10(?:-CM)?|NDC) (?=\D{0,100}\d)[\w.:-]{1,200}$/;

function simplifyName(name: string): string {
  if (name.endsWith(')')) return name.replace(SEMANTIC_TAG, '');
  return BARE_CODE.test(name) ? `${name} (unnamed code)` : name;
}

/** Formats a title or a coded value as a person would name it; without a limit as a value. */
export const formatName = (name: string | null, maxLength?: number): string =>
  name === null || maxLength === undefined ? formatWords(name) : escapeInline(simplifyName(name), maxLength);

/** Formats what may be a name or sentences: a dosage, an outcome. */
export const formatWords = (words: string | null, maxLength?: number): string =>
  words === null ? '' : escapeValue(simplifyName(words), maxLength);

/** Formats several names, "Asthma (disorder); Cough (finding)". */
export const formatNames = (names: string | null, maxLength?: number): string =>
  names === null
    ? ''
    : escapeValue(
        names.includes('; ') ? names.split('; ').map(simplifyName).join('; ') : simplifyName(names),
        maxLength,
      );
