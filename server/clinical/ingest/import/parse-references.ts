/** Reads `Type/id` references, each once; what is none is left out. */
export function parseReferences(references: readonly string[]): { type: string; id: string }[] {
  return [...new Set(references)].flatMap((reference) => {
    const [type, id, more] = reference.split('/');
    return type && id && more === undefined ? [{ type, id }] : [];
  });
}
