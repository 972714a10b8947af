import type { FrameWords, PageName } from '../words/en/frame.ts';

export type TargetKind = keyof FrameWords['search']['kinds'];

/** Something that the search may lead to. */
export interface SearchTarget {
  kind: TargetKind;
  label: string;
  /** Below /console. */
  to: string;
  /** Compared besides the label, such as an id or an address. */
  terms: readonly string[];
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const MAX_RESULTS = 8;

/** Pages that show one thing by its id, with the text of the way there. */
const ID_PAGES = [
  ['patients', 'openPatient'],
  ['consents', 'openConsent'],
] as const satisfies readonly (readonly [PageName, keyof FrameWords['search']])[];

/** What is called so, what has this id, and for an id that nothing listed has, the pages that may show it. */
export function findTargets(
  text: string,
  targets: readonly SearchTarget[],
  { pages, search }: { pages: readonly PageName[]; search: FrameWords['search'] },
): SearchTarget[] {
  const wanted = fold(text);
  if (wanted === '') return [];
  const named = targets.filter(({ label, terms }) =>
    [label, ...terms].some((term) => fold(term).includes(wanted)),
  );
  if (named.length > 0 || !UUID.test(text.trim())) return named.slice(0, MAX_RESULTS);
  const id = text.trim().toLowerCase();
  return ID_PAGES.filter(([page]) => pages.includes(page)).map(([page, words]) => ({
    kind: 'id',
    label: search[words],
    to: `/${page}/${id}`,
    terms: [],
  }));
}

/** Without case and accents, so that whoever types a name without its accents finds it. */
const fold = (text: string): string => text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
