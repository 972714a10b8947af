/** Digits, and the plus sign that leads an international number: all that two ways to write it share. Empty without digits. */
export function normalizePhone(phone: string): string {
  const digits = phone.replace(/[^0-9]/g, '');
  return digits !== '' && /^\s*\+/.test(phone) ? `+${digits}` : digits;
}
