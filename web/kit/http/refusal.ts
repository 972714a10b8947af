/** An input, by its path such as `contact.email`, and what is wrong with it. */
export interface InputError {
  path: string;
  message: string;
}

/** A refusal of the service, or its silence (status 0). */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** When to try again, if the service says so. */
  readonly retryAt: Date | null;
  /** The inputs that the service found wrong, in its own words, which are English. */
  readonly errors: readonly InputError[];

  constructor(
    status: number,
    code: string,
    { retryAt = null, errors = [] }: { retryAt?: Date | null; errors?: readonly InputError[] } = {},
  ) {
    super(`${status} ${code}`);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.retryAt = retryAt;
    this.errors = errors;
  }
}

/** Narrows what a call has thrown; an error of our own code is thrown on. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** True when another try may succeed without anything having changed. */
export const isTransient = ({ status }: Refusal): boolean => status === 0 || status === 429 || status >= 500;
