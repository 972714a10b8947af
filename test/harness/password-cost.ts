import argon2 from 'argon2';

/**
 * The cost of new password hashes in this process. A hash costs 20 ms of a core and each sign-in as much again, and tests make
 * thousands of both: they run at argon2's lowest cost, unless the cost is what they test.
 */
const hashAtCost = argon2.hash;

const LOWEST = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;

export function useLowestPasswordCost(): void {
  argon2.hash = ((password, options) =>
    hashAtCost(password, { ...options, ...LOWEST })) as typeof argon2.hash;
}

/** For a test of the cost, before it starts a service; the next test file in the process has the lowest again. */
export function useRealPasswordCost(): void {
  argon2.hash = hashAtCost;
}
