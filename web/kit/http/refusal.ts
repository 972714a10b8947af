/** A refusal of the service, or its silence (status 0). */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** When to try again, if the service says so. */
  readonly retryAt: Date | null;

  constructor(status: number, code: string, retryAt: Date | null = null) {
    super(`${status} ${code}`);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.retryAt = retryAt;
  }
}

/** Narrows what a call has thrown; an error of our own code is thrown on. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** True when another try may succeed without anything having changed. */
export const isTransient = ({ status }: Refusal): boolean => status === 0 || status === 429 || status >= 500;
