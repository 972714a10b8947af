import type { PersonDetail } from '../../../../contract/account/record-facts.ts';
import type { Language } from '../../../kit/languages.ts';
import type { Words } from '../words/en.ts';
import { formatWrittenDay } from './format-written-day.ts';

/** Codes that HL7's two tables of marital status (v2 and v3) mean alike; what else a record holds is shown as it stands. */
export function formatPersonDetail(
  { name, text }: PersonDetail,
  { genders, maritalStatuses }: Words['myData']['record'],
  language: Language,
): string {
  switch (name) {
    case 'birthDate':
      return formatWrittenDay(text, language);
    case 'gender':
      return new Map(Object.entries(genders)).get(text) ?? text;
    case 'maritalStatus':
      return new Map(Object.entries(maritalStatuses)).get(text) ?? text;
    case 'language':
      return LANGUAGE_TAG.test(text) ? formatLanguage(text, language) : text;
    default:
      return text;
  }
}

/** BCP 47, and the codes of ISO 639-2 that records hold instead. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i;

function formatLanguage(tag: string, language: Language): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
