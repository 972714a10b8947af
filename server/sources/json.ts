/** Looking into JSON of somebody else's: whatever is not there, or is something else, is nothing. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

export const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
