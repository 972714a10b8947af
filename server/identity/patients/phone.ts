/**
 * Returns the digits of a telephone number and the plus sign before an international one: all that two spellings of a
 * number have in common. Returns an empty text when there is no digit.
 */
export function normalizePhone(phone: string): string {
  const digits = phone.replace(/[^0-9]/g, '');
  return digits !== '' && /^\s*\+/.test(phone) ? `+${digits}` : digits;
}
