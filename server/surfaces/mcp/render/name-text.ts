import { escapeInline } from './escape-markdown.ts';

/** SNOMED CT says at the end of a name what kind of thing it names; a reader sees that by where it stands. */
const SEMANTIC_TAG = / \((?:disorder|procedure|finding|qualifier value|situation|regime\/therapy)\)$/;

/** A code that the record gives no name is told as `LOINC 106793-3`. */
const BARE_CODE = /^(?:LOINC|SNOMED CT|RxNorm|CVX|ICD-10(?:-CM)?|NDC) [\w.:-]*\d[\w.:-]*$/;

function simplifyName(name: string): string {
  if (name.endsWith(')')) return name.replace(SEMANTIC_TAG, '');
  return BARE_CODE.test(name) ? `${name} (unnamed code)` : name;
}

/** What a person calls it, of a title or a coded value. */
export const formatName = (name: string | null, maxLength?: number): string =>
  name === null ? '' : escapeInline(simplifyName(name), maxLength);

/** The same of several, "Asthma (disorder); Cough (finding)". */
export const formatNames = (names: string | null, maxLength?: number): string =>
  names === null
    ? ''
    : escapeInline(
        names.includes('; ') ? names.split('; ').map(simplifyName).join('; ') : simplifyName(names),
        maxLength,
      );
