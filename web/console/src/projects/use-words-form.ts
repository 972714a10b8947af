import { useState } from 'react';
import type { ConsentType } from '../../../../contract/account/consent.ts';
import { findError, type FormError } from '../../../kit/form.tsx';
import type { Refusal } from '../../../kit/http/refusal.ts';
import { type ContentField, type ContentTexts, findFaults, readTexts } from './content-fields.ts';
import { CONSENT_TYPES, type VersionContent } from './project-data.ts';
import { useDescribeFault } from './use-describe-field.ts';

/** What is written in the form: texts by their paths, and the consents that are asked for. */
export interface WordsDraft {
  texts: ContentTexts;
  types: readonly ConsentType[];
}

const readDraft = ({ content, consentTypes }: VersionContent): WordsDraft => ({
  texts: readTexts(content),
  types: consentTypes.map(({ type }) => type),
});

/** The state of the form of words; `onReview` is called with what has no fault. */
export function useWordsForm(version: VersionContent, onReview: (draft: WordsDraft) => void) {
  const [draft, setDraft] = useState(() => readDraft(version));
  /** What the last attempt held: errors do not come and go while somebody writes. */
  const [checked, setChecked] = useState<WordsDraft | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [refused, setRefused] = useState<readonly FormError[]>([]);
  const describeFault = useDescribeFault();
  const found = checked === null ? [] : [...findFaults(checked.texts)];
  const errors = [
    ...found.map(([field, fault]) => ({ field, text: describeFault(field, fault) })),
    ...refused,
  ];
  const onSubmit = () => {
    setRefused([]);
    setChecked(draft);
    setAttempt(attempt + 1);
    if (findFaults(draft.texts).size === 0) onReview(draft);
  };
  return {
    draft,
    errors,
    attempt,
    onSubmit,
    /** Shows at its field what the service found wrong, which only it can see. */
    showRefusal(refusal: Refusal) {
      setRefused(refusal.errors.map(({ path, message }) => toFormError(path, message)));
      setAttempt(attempt + 1);
    },
    field: (name: ContentField) => ({
      name,
      value: draft.texts[name] ?? '',
      error: findError(errors, name),
      onChange: (value: string) => setDraft((now) => ({ ...now, texts: { ...now.texts, [name]: value } })),
    }),
    toggleType: (type: ConsentType, isAsked: boolean) =>
      setDraft((now) => ({ ...now, types: chooseType(now.types, type, isAsked) })),
  };
}

/** What is asked for keeps its order; a new one comes in the order of the contract. */
const chooseType = (types: readonly ConsentType[], type: ConsentType, isAsked: boolean) =>
  isAsked ? [...types, ...CONSENT_TYPES.filter((one) => one === type)] : types.filter((one) => one !== type);

const toFormError = (path: string, message: string): FormError => ({
  field: path.replace(/^content\./, ''),
  text: `${path.replace(/^content\./, '')}: ${message}`,
});

export type WordsFormState = ReturnType<typeof useWordsForm>;
