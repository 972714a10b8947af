import type { FrameWords, PageName } from '../words/en/frame.ts';

export type TargetKind = keyof FrameWords['search']['kinds'];

/** Something that the search may lead to. */
export interface SearchTarget {
  kind: TargetKind;
  label: string;
  /** Below /console. */
  to: string;
  /** The query of the address there. */
  search?: Readonly<Record<string, string>>;
  /** Compared besides the label, such as an id or an address. */
  terms: readonly string[];
}

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const EVENT_ID = /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const MAX_RESULTS = 8;

/** Pages that show one thing by its id, with the text of the way there. */
const ID_PAGES = [
  ['patients', 'openPatient'],
  ['consents', 'openConsent'],
  ['apps', 'openApp'],
] as const satisfies readonly (readonly [PageName, keyof FrameWords['search']])[];

/**
 * What is called so, what has this id, and for an id that nothing listed has, the pages that may show it: a look at a consent is
 * shown to its patient, so no id is tried out.
 */
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
  if (EVENT_ID.test(text.trim())) return findDeliveries(text.trim(), targets, search);
  if (named.length > 0 || !UUID.test(text.trim())) return named.slice(0, MAX_RESULTS);
  const id = text.trim().toLowerCase();
  return ID_PAGES.filter(([page]) => pages.includes(page)).map(([page, words]) => ({
    kind: 'id',
    label: search[words],
    to: `/${page}/${id}`,
    terms: [],
  }));
}

/** An event has a delivery to each webhook that it matched. */
const findDeliveries = (
  eventId: string,
  targets: readonly SearchTarget[],
  search: FrameWords['search'],
): SearchTarget[] =>
  targets
    .filter(({ kind }) => kind === 'webhook')
    .slice(0, MAX_RESULTS)
    .map(({ label, to }) => ({
      kind: 'id',
      label: search.openDelivery(label),
      to: `${to}/deliveries/${eventId}`,
      terms: [],
    }));

/** Without case and accents, so that whoever types a name without its accents finds it. */
const fold = (text: string): string => text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
