/** Days are whole numbers since 1970-01-01: arithmetic on them knows no time zone. */
const DAY_MS = 86_400_000;
const HOLIDAYS = new Set(['01-01', '07-04', '12-25']);

export function parseDay(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / DAY_MS;
}

export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function getYear(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}

/** 1 to 12. */
export function getMonth(day: number): number {
  return new Date(day * DAY_MS).getUTCMonth() + 1;
}

/** The 31st becomes the shorter month's last day. */
export function addMonths(day: number, months: number): number {
  const from = new Date(day * DAY_MS);
  const month = from.getUTCMonth() + months;
  const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), last)) / DAY_MS;
}

export function countMonths(from: number, to: number): number {
  return (to - from) / 30.4375;
}

/** Whole years lived on that day. */
export function computeAge(birth: number, day: number): number {
  const years = getYear(day) - getYear(birth);
  return addMonths(birth, years * 12) > day ? years - 1 : years;
}

/** Saturday goes to Friday and Sunday to Monday, so that the order of days stays; holidays a day on. */
export function toWorkday(day: number): number {
  const weekday = getWeekday(day);
  const shifted = weekday === 6 ? day - 1 : weekday === 0 ? day + 1 : day;
  if (!HOLIDAYS.has(formatDay(shifted).slice(5))) return shifted;
  return getWeekday(shifted) === 5 ? shifted - 1 : shifted + 1;
}

/** A FHIR dateTime as a clinic in New York writes it: local time and the offset of that day. */
export function formatLocalTime(day: number, minutes: number): string {
  const hour = String(Math.floor(minutes / 60)).padStart(2, '0');
  const minute = String(minutes % 60).padStart(2, '0');
  return `${formatDay(day)}T${hour}:${minute}:00${isDaylightSavingTime(day) ? '-04:00' : '-05:00'}`;
}

function getWeekday(day: number): number {
  // 1970-01-01 was a Thursday; days before it are negative.
  return (((day + 4) % 7) + 7) % 7;
}

/** Energy Policy Act of 2005, in force from 2007, and the Uniform Time Act's rules before it. */
function isDaylightSavingTime(day: number): boolean {
  const year = getYear(day);
  if (year >= 2007) return day >= findFirstSunday(year, 3) + 7 && day < findFirstSunday(year, 11);
  const starts = year >= 1987 ? findFirstSunday(year, 4) : findFirstSunday(year, 5) - 7;
  return day >= starts && day < findFirstSunday(year, 11) - 7;
}

function findFirstSunday(year: number, month: number): number {
  const first = Date.UTC(year, month - 1, 1) / DAY_MS;
  return first + ((7 - getWeekday(first)) % 7);
}
