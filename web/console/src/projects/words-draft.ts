import type { ConsentType } from '../../../../contract/account/consent.ts';
import {
  buildContent,
  CONTENT_FIELDS,
  type ContentFault,
  type ContentField,
  type ContentTexts,
  findFaults,
  readTexts,
} from './content-fields.ts';
import type { VersionContent } from './project-data.ts';

/** A text of the project, or of one of its consents that has words of its own. */
export interface TextName {
  /** null: in the words of the project. */
  type: ConsentType | null;
  field: ContentField;
}

/** What is written in the form: texts by their paths, the consents that are asked for, and those with words of their own. */
export interface WordsDraft {
  texts: ContentTexts;
  types: readonly ConsentType[];
  own: Partial<Record<ConsentType, ContentTexts | undefined>>;
}

export const readDraft = ({ content, consentTypes }: VersionContent): WordsDraft => ({
  texts: readTexts(content),
  types: consentTypes.map(({ type }) => type),
  own: Object.fromEntries(
    consentTypes.flatMap((asked) => (asked.content === null ? [] : [[asked.type, readTexts(asked.content)]])),
  ),
});

/** Builds what is published: a consent that is not asked for has no words. */
export const buildVersion = ({ texts, types, own }: WordsDraft): VersionContent => ({
  content: buildContent(texts),
  consentTypes: types.map((type) => {
    const written = own[type];
    return { type, content: written === undefined ? null : buildContent(written) };
  }),
});

/** The texts of the project, or of a consent's own. */
export const getTexts = ({ texts, own }: WordsDraft, type: ConsentType | null): ContentTexts =>
  type === null ? texts : (own[type] ?? {});

/** Names a field within the form. */
export const getFieldId = (field: ContentField, type: ConsentType | null): string =>
  type === null ? field : `${type}.${field}`;

export interface DraftFault extends TextName {
  fault: ContentFault;
}

/** Everything that is wrong with what would be published. */
export function findDraftFaults(draft: WordsDraft): DraftFault[] {
  const withOwn = draft.types.filter((type) => draft.own[type] !== undefined);
  return [null, ...withOwn].flatMap((type) =>
    [...findFaults(getTexts(draft, type))].map(([field, fault]) => ({ type, field, fault })),
  );
}

/** Leads from the path of a refusal, such as `consentTypes.1.content.en.purpose`, to the text of the form; null: to none. */
export function findRefused({ types }: WordsDraft, path: string): TextName | null {
  const [, index, inner] = /^consentTypes\W(\d+)\W+content\.(.*)$/.exec(path) ?? [];
  const type = index === undefined ? undefined : types[Number(index)];
  const name = type === undefined ? path.replace(/^content\./, '') : inner;
  const field = CONTENT_FIELDS.find((known) => known === name);
  return field === undefined ? null : { type: type ?? null, field };
}
