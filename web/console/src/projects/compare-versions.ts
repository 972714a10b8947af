import type { ConsentType } from '../../../../contract/account/consent.ts';
import { CONTENT_FIELDS, type ContentField, readTexts } from './content-fields.ts';
import type { VersionContent } from './project-data.ts';

/** A text of a version: of the project, or of one of its consents that has words of its own. */
export interface ComparedText {
  type: ConsentType | null;
  field: ContentField;
  before: string;
  after: string;
}

export interface Comparison {
  texts: ComparedText[];
  /** The consents that are asked for, before and after. */
  types: { before: readonly ConsentType[]; after: readonly ConsentType[] };
  /** Whether anything differs. */
  isChanged: boolean;
}

const NOTHING: VersionContent = { content: null, consentTypes: [] };

/** Lays two versions side by side: every text that one of them has. null: there was no version. */
export function compareVersions(before: VersionContent | null, after: VersionContent): Comparison {
  const [old, young] = [before ?? NOTHING, after];
  const types = {
    before: old.consentTypes.map(({ type }) => type),
    after: young.consentTypes.map(({ type }) => type),
  };
  const texts = [null, ...new Set([...types.before, ...types.after])].flatMap((type) => {
    const [was, is] = [readTexts(getContent(old, type)), readTexts(getContent(young, type))];
    return CONTENT_FIELDS.filter((field) => field in was || field in is).map((field) => ({
      type,
      field,
      before: was[field] ?? '',
      after: is[field] ?? '',
    }));
  });
  const isChanged =
    types.before.join() !== types.after.join() || texts.some(({ before, after }) => before !== after);
  return { texts, types, isChanged };
}

const getContent = ({ content, consentTypes }: VersionContent, type: ConsentType | null) =>
  type === null ? content : (consentTypes.find((asked) => asked.type === type)?.content ?? null);
