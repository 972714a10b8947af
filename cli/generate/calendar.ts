/** Days are whole numbers since 1970-01-01: arithmetic on them knows no time zone. */
const DAY = 86_400_000;
const closedOn = new Set(['01-01', '07-04', '12-25']);

export function dayNumber(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / DAY;
}

export function dayText(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

export function yearOf(day: number): number {
  return new Date(day * DAY).getUTCFullYear();
}

/** 1 to 12. */
export function monthOf(day: number): number {
  return new Date(day * DAY).getUTCMonth() + 1;
}

/** The 31st becomes the shorter month's last day. */
export function addMonths(day: number, months: number): number {
  const from = new Date(day * DAY);
  const month = from.getUTCMonth() + months;
  const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), last)) / DAY;
}

export function monthsBetween(from: number, to: number): number {
  return (to - from) / 30.4375;
}

/** Whole years lived on that day. */
export function ageOn(birth: number, day: number): number {
  const years = yearOf(day) - yearOf(birth);
  return addMonths(birth, years * 12) > day ? years - 1 : years;
}

/** Saturday goes to Friday and Sunday to Monday, so that the order of days stays; holidays a day on. */
export function toWorkday(day: number): number {
  const weekday = weekdayOf(day);
  const worked = weekday === 6 ? day - 1 : weekday === 0 ? day + 1 : day;
  if (!closedOn.has(dayText(worked).slice(5))) return worked;
  return weekdayOf(worked) === 5 ? worked - 1 : worked + 1;
}

/** A FHIR dateTime as a clinic in New York writes it: local time and the offset of that day. */
export function localTime(day: number, minutes: number): string {
  const hour = String(Math.floor(minutes / 60)).padStart(2, '0');
  const minute = String(minutes % 60).padStart(2, '0');
  return `${dayText(day)}T${hour}:${minute}:00${isSummerTime(day) ? '-04:00' : '-05:00'}`;
}

function weekdayOf(day: number): number {
  // 1970-01-01 was a Thursday; days before it are negative.
  return (((day + 4) % 7) + 7) % 7;
}

/** Energy Policy Act of 2005, in force from 2007, and the Uniform Time Act's rules before it. */
function isSummerTime(day: number): boolean {
  const year = yearOf(day);
  if (year >= 2007) return day >= firstSunday(year, 3) + 7 && day < firstSunday(year, 11);
  const begins = year >= 1987 ? firstSunday(year, 4) : firstSunday(year, 5) - 7;
  return day >= begins && day < firstSunday(year, 11) - 7;
}

function firstSunday(year: number, month: number): number {
  const first = Date.UTC(year, month - 1, 1) / DAY;
  return first + ((7 - weekdayOf(first)) % 7);
}
