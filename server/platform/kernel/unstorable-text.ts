export interface UnstorableText {
  /** As a person writes it: `patients[3].email`. */
  path: string;
  message: string;
}

/**
 * Returns the fault of a text or a name that holds U+0000, or half of a surrogate pair (RFC 7493 §2.1): JSON can write both, and
 * the database stores neither; null where there is none.
 */
export function findUnstorable(value: unknown, path: string): UnstorableText | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path, message: 'must not hold the character U+0000' };
    return value.isWellFormed() ? null : { path, message: 'must not hold half of a surrogate pair' };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const isArray = Array.isArray(value);
    const found =
      (isArray ? null : findUnstorable(name, path)) ??
      findUnstorable(inner, isArray ? `${path}[${name}]` : path ? `${path}.${name}` : name);
    if (found) return found;
  }
  return null;
}
