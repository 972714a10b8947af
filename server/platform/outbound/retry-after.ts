/** Parses `Retry-After` (RFC 9110 §10.2.3), seconds or a date, to milliseconds from now, however many; null for anything else. */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  // `Date.parse` reads far more than the IMF-fixdate of HTTP, also "12".
  const at = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
