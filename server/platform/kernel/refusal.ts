/** An error in the input, at a path as a person would write it: "patients[3].email". */
export interface FieldError {
  path: string;
  message: string;
}

/** A refusal that the caller may know: thrown anywhere, rendered once at the edge in the protocol's own dialect. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | null;

  constructor(status: number, code: string, options: RefusalOptions) {
    super(options.detail);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.reason = options.reason ?? null;
  }
}

interface RefusalOptions {
  /** One sentence for a person; never holds personal data. */
  detail: string;
  errors?: readonly FieldError[];
  headers?: Readonly<Record<string, string>>;
  /** Why, for the operator's log where the caller must not know; never sent, and never holds personal data. */
  reason?: string;
}

export const invalidInput = (errors: readonly FieldError[]): Refusal =>
  new Refusal(400, 'invalid_input', {
    detail: errors.map((error) => `${error.path || 'body'}: ${error.message}`).join('; '),
    errors,
  });

export const unauthorized = (): Refusal =>
  new Refusal(401, 'unauthorized', { detail: 'A valid bearer token is required.' });

export const forbidden = (detail: string, code = 'forbidden'): Refusal => new Refusal(403, code, { detail });

export const notFound = (what: string): Refusal =>
  new Refusal(404, 'not_found', { detail: `${what} does not exist.` });

/** 503 with `Retry-After` (RFC 9110 §15.6.4): as much work of this kind waits as is worth waiting for. */
export const tooBusy = (): Refusal =>
  new Refusal(503, 'busy', {
    detail: 'Too many requests of this kind at once; try again in a second.',
    headers: { 'retry-after': '1' },
  });

/** 429 with `Retry-After` (RFC 9110 §10.2.3) in whole seconds. */
export const tooManyRequests = (code: string, retryAfterMs: number): Refusal => {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new Refusal(429, code, {
    detail: `Too many requests; try again in ${seconds} seconds.`,
    headers: { 'retry-after': String(seconds) },
  });
};
