/**
 * Decodes percent-encoded UTF-8; null where the encoding is malformed. Whoever only wants to know that asks for the result
 * too: a bundler takes `decodeURIComponent` for pure, and leaves out a call whose result nobody uses, error and all.
 */
export function decodeUri(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
