import type { ConsentType } from '../../../../contract/account/consent.ts';
import type { FormError } from '../../../kit/form.tsx';
import type { InputError } from '../../../kit/http/refusal.ts';
import { describeInputFault } from '../kit/describe-input-fault.ts';
import { useWords } from '../words/use-words.ts';
import { type ContentFault, type ContentField, getLimit } from './content-fields.ts';
import type { CONTACT_FIELDS, LANGUAGES, TEXTS } from './project-data.ts';
import { useProjectWords } from './use-project-words.ts';
import { findRefused, getFieldId, type WordsDraft } from './words-draft.ts';

type LanguageName = (typeof LANGUAGES)[number];

/** Returns the function that names a text, such as "Purpose (English)". */
export function useDescribeField(): (field: ContentField, type?: ConsentType | null) => string {
  const words = useProjectWords();
  return (field, type = null) => {
    const [part = '', name = '', category = ''] = field.split('.');
    const text =
      part === 'contact'
        ? `${words.contactTitle}: ${words.contact[name as (typeof CONTACT_FIELDS)[number]]}`
        : words.inLanguage(
            name === 'categoryPurposes'
              ? words.category(words.categories[category] ?? category)
              : words.texts[name as (typeof TEXTS)[number]],
            words.languages[part as LanguageName],
          );
    return type === null ? text : words.ownText(words.types[type], text);
  };
}

/** Returns the function that says what is wrong with a text. */
export function useDescribeFault(): (
  field: ContentField,
  fault: ContentFault,
  type: ConsentType | null,
) => string {
  const { faults, ownText, types } = useProjectWords();
  const describeField = useDescribeField();
  const describe = (field: ContentField, fault: ContentFault) => {
    if (fault === 'email') return faults.email;
    if (fault === 'long') return faults.long(describeField(field), String(getLimit(field)));
    const [language, text] = field.split('.') as [LanguageName, 'title' | 'purpose'];
    return faults[text][language];
  };
  return (field, fault, type) => {
    const text = describe(field, fault);
    return type === null ? text : ownText(types[type], text);
  };
}

/** Returns the function that says what the service found wrong with a text, at its field. */
export function useDescribeRefused(): (draft: WordsDraft, error: InputError) => FormError {
  const words = useWords();
  const describeField = useDescribeField();
  return (draft, { path, message }) => {
    const refused = findRefused(draft, path);
    const text = describeInputFault(message, words) ?? `${words.errors.invalid} (${message})`;
    if (refused === null) return { text: `${path}: ${text}` };
    const { field, type } = refused;
    return { field: getFieldId(field, type), text: `${describeField(field, type)}: ${text}` };
  };
}
