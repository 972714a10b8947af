/** After so many hours in which every attempt failed, that is announced. */
export const ANNOUNCED_AFTER_HOURS: readonly number[] = [1, 12, 33];
