/** Returns the props of a field of plain text with this limit (null: none), which no browser fills in. */
export const limitText = (maxLength: number | null) => ({ autoComplete: 'off', maxLength }) as const;
