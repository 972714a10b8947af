/** As in the contract, whose zod stays out of the bundle; a test compares them. */
export const GENERATED_YEARS = { min: 1, max: 70 } as const;
