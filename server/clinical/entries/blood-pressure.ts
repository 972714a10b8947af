import { joinPresent } from './element.ts';
import type { EntryBase } from './entry.ts';
import { listConditions, type MeasuredEntry } from './measure-conditions.ts';
import { isModified } from './modifiers.ts';
import type { Measure, ObservationDetail } from './observation-detail.ts';
import { DIASTOLIC_CODES, SYSTOLIC_CODES } from './vital-signs.ts';

/** LOINC and SNOMED CT: a display may be in any language, or missing. */
const SYSTOLIC_CODE = new RegExp(`\\|(?:${SYSTOLIC_CODES.join('|')})$`);
const DIASTOLIC_CODE = new RegExp(`\\|(?:${DIASTOLIC_CODES.join('|')})$`);
const SYSTOLIC = /systolic/i;
const DIASTOLIC = /diastolic/i;

type Components = ObservationDetail['components'];

export const findSystolic = (components: Components) => findPart(components, SYSTOLIC_CODE, SYSTOLIC);
export const findDiastolic = (components: Components) => findPart(components, DIASTOLIC_CODE, DIASTOLIC);

/** Finds both pressures of a measurement; null unless both have a value, in the same unit. */
export function findPressures({
  components,
}: Pick<ObservationDetail, 'components'>): { systolic: Measure; diastolic: Measure } | null {
  const [systolic, diastolic] = [findSystolic(components), findDiastolic(components)];
  return systolic?.value && diastolic?.value && systolic.unit === diastolic.unit
    ? { systolic, diastolic }
    : null;
}

/** Finds a component by its code, and by its name only where no code is known. */
const findPart = (components: Components, code: RegExp, label: RegExp): Measure | undefined =>
  components.find((part) => code.test(part.code ?? '')) ?? components.find((part) => label.test(part.label));

/** An entry of one pressure, as far as it says which measurement it is a half of. */
type Half = MeasuredEntry &
  Pick<EntryBase, 'dayText' | 'time' | 'status'> & {
    visit?: string | null;
    documentPath: string;
    source?: string | null;
  };

/** A pressure that came as two observations, whose entries are its halves. */
export type Paired<H> = H & { halves?: readonly [systolic: H, diastolic: H] };

/**
 * Joins a systolic and a diastolic pressure that one source states of one moment, by themselves, under the same conditions.
 * Of more than one of each nobody knows which belong together: they stay halves, and so does one alone.
 */
export function pairHalves<H extends Half>(entries: readonly H[]): Paired<H>[] {
  const moments = Map.groupBy(entries, toMoment);
  moments.delete(null);
  if (moments.size === 0) return [...entries];
  const paired = new Map<H, Paired<H> | null>();
  for (const halves of moments.values()) {
    const [systolic, diastolic] = halves.toSorted((one, other) => rankHalf(one) - rankHalf(other));
    if (halves.length !== 2 || !systolic || !diastolic || rankHalf(systolic) === rankHalf(diastolic))
      continue;
    const [first, second] = halves as [H, H];
    paired.set(first, joinHalves(systolic, diastolic)).set(second, null);
  }
  return entries.flatMap((entry) => {
    const pressure = paired.get(entry);
    return pressure === undefined ? entry : (pressure ?? []);
  });
}

/** 0 systolic, 1 diastolic. */
const rankHalf = ({ code }: Half): number => (SYSTOLIC_CODE.test(code ?? '') ? 0 : 1);

/** True of a pressure that stands alone, without the other. */
export const isHalf = ({ code, detail: { value, components } }: Pick<Half, 'code' | 'detail'>): boolean =>
  value !== null &&
  components.length === 0 &&
  (SYSTOLIC_CODE.test(code ?? '') || DIASTOLIC_CODE.test(code ?? ''));

/** What two halves of one measurement have in common; null of what is no half, or has no day. */
function toMoment(entry: Half): string | null {
  if (entry.dayText === null || !isHalf(entry) || isModified(entry)) return null;
  const { dayText, time, status, visit = null, source, documentPath, code, detail } = entry;
  return JSON.stringify([
    [dayText, time, status, visit, source ?? documentPath, findPairOfCodes(code ?? ''), detail.unit],
    [detail.performer, detail.device, ...listConditions(entry, '').map((each) => each.toLowerCase())],
  ]);
}

/** Codes of the same pressure: at rest, sitting, an average. */
const findPairOfCodes = (key: string): number => {
  const code = key.slice(key.indexOf('|') + 1);
  return Math.max(SYSTOLIC_CODES.indexOf(code), DIASTOLIC_CODES.indexOf(code));
};

function joinHalves<H extends Half>(systolic: H, diastolic: H): Paired<H> {
  const { detail } = systolic;
  const note = joinPresent([detail.note, diastolic.detail.note], '\n');
  return {
    ...systolic,
    title: nameWhole(systolic.title),
    detail: { ...detail, ...NO_RESULT, note, components: [toPart(systolic), toPart(diastolic)] },
    halves: [systolic, diastolic],
  };
}

const NO_RESULT = {
  value: null,
  unit: null,
  absent: null,
  interpretation: null,
  referenceRange: null,
  flag: undefined,
  computed: undefined,
};

const toPart = ({ title, code, detail }: Half): Measure => ({
  label: title,
  code,
  value: detail.value,
  unit: detail.unit,
  absent: detail.absent,
  interpretation: detail.interpretation,
  referenceRange: detail.referenceRange,
  ...(detail.flag !== undefined && { flag: detail.flag }),
  ...(detail.computed !== undefined && { computed: detail.computed }),
});

/** "Systolic blood pressure" is a "Blood pressure". */
function nameWhole(title: string): string {
  const rest = title
    .replace(/(?<!\p{L})(?:systoli\p{L}*|sist[oó]li\p{L}*)/iu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,:-]+|(?<![\s,:-])[\s,:-]+$/g, '');
  return rest === title || !/\p{L}{2}/u.test(rest)
    ? 'Blood pressure'
    : `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}
