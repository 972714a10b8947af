import { useSourceWords } from './use-source-words.ts';

/** Returns the function that says why something is so, and what to do; the service's own sentence for a code of later. */
export function useReason(): (code: string | null, message: string | null) => string {
  const { reasons } = useSourceWords();
  return (code, message) => (reasons as Readonly<Record<string, string>>)[code ?? ''] ?? message ?? '';
}
