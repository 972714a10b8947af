import { useState } from 'react';
import type { ConsentType } from '../../../../contract/account/consent.ts';
import { findError, type FormError } from '../../../kit/form.tsx';
import type { Refusal } from '../../../kit/http/refusal.ts';
import type { ContentField, ContentTexts } from './content-fields.ts';
import { mergeDrafts, type MergedDraft } from './merge-drafts.ts';
import { CONSENT_TYPES, type ProjectData, type VersionContent } from './project-data.ts';
import { useDescribeFault, useDescribeRefused } from './use-describe-field.ts';
import { findDraftFaults, getFieldId, getTexts, readDraft, type WordsDraft } from './words-draft.ts';

/** The state of the form of words. */
export function useWordsForm(project: ProjectData) {
  const { draft, setDraft, ...rest } = useDraft(project);
  /** What the last attempt held: errors do not come and go while somebody writes. */
  const [checked, setChecked] = useState<WordsDraft | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [refused, setRefused] = useState<readonly FormError[]>([]);
  const describeFault = useDescribeFault();
  const describeRefused = useDescribeRefused();
  const found = checked === null ? [] : findDraftFaults(checked);
  const errors = [
    ...found.map(({ type, field, fault }) => ({
      field: getFieldId(field, type),
      text: describeFault(field, fault, type),
    })),
    ...refused,
  ];
  const check = (written: WordsDraft): boolean => {
    setRefused([]);
    setChecked(written);
    setAttempt((count) => count + 1);
    return findDraftFaults(written).length === 0;
  };
  const setTexts = (type: ConsentType | null, change: (texts: ContentTexts) => ContentTexts) =>
    setDraft((now) => {
      const texts = change(getTexts(now, type));
      return type === null ? { ...now, texts } : { ...now, own: { ...now.own, [type]: texts } };
    });
  return {
    ...rest,
    draft,
    errors,
    attempt,
    /** Shows what is wrong with a draft at its fields; returns whether nothing is. */
    check,
    /** Shows at its field what the service found wrong, which only it can see. */
    showRefusal(refusal: Refusal) {
      setRefused(refusal.errors.map((error) => describeRefused(draft, error)));
      setAttempt((count) => count + 1);
    },
    /** A text of the project, or of one of its consents that has words of its own. */
    field: (field: ContentField, type: ConsentType | null = null) => ({
      name: getFieldId(field, type),
      value: getTexts(draft, type)[field] ?? '',
      error: findError(errors, getFieldId(field, type)),
      onChange: (value: string) => setTexts(type, (texts) => ({ ...texts, [field]: value })),
    }),
    toggleType: (type: ConsentType, isAsked: boolean) =>
      setDraft((now) => ({ ...now, types: chooseType(now.types, type, isAsked) })),
    /** Words of its own begin as those of the project. */
    toggleOwn: (type: ConsentType, hasOwn: boolean) =>
      setDraft((now) => ({ ...now, own: { ...now.own, [type]: hasOwn ? now.texts : undefined } })),
  };
}

/** What is written, and what it is based on: the version that the page was loaded with, or a later one that was merged into it. */
function useDraft(project: ProjectData) {
  const [draft, setDraft] = useState(() => readDraft(project));
  const [base, setBase] = useState({ draft, version: project.version });
  return {
    draft,
    setDraft,
    base: base.draft,
    /** Merges what was written with the version in force, which a colleague may have published since. */
    rebase(inForce: ProjectData, written: WordsDraft): MergedDraft & { isNewer: boolean } {
      const theirs = readDraft(inForce);
      const merge = (mine: WordsDraft) => mergeDrafts({ base: base.draft, mine, theirs });
      const merged = merge(written);
      // Somebody may have written on while the version in force was asked for.
      setDraft((now) => merge(now).draft);
      setBase({ draft: merged.base, version: inForce.version });
      return { ...merged, isNewer: inForce.version !== base.version };
    },
    /** From now on the draft is based on what was published of it. */
    settle: (published: VersionContent, version: number | null) =>
      setBase({ draft: readDraft(published), version }),
  };
}

/** What is asked for keeps its order; a new one comes in the order of the contract. */
const chooseType = (types: readonly ConsentType[], type: ConsentType, isAsked: boolean) =>
  isAsked ? [...types, ...CONSENT_TYPES.filter((one) => one === type)] : types.filter((one) => one !== type);

export type WordsFormState = ReturnType<typeof useWordsForm>;
