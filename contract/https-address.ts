import { z } from 'zod';

/**
 * An https address that an organization names. Its host stands where a person looks for it: `new URL` finds the one of `https:///a`
 * and `https:a` too.
 */
export const httpsAddress = (max: number) =>
  z
    .url({ protocol: /^https$/, error: 'must be an https address', abort: true })
    .max(max, { error: `must have at most ${max} characters` })
    .refine((text) => /^https:\/\/[^/]/i.test(text), 'must have its host after https://');
