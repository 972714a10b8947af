import { z } from 'zod';

/** Whether the host stands where a person looks for it: `new URL` finds the one of `https:///a` and `https:a` too. */
export const showsHost = (url: string): boolean => /^https:\/\/[^/]/i.test(url);

/** An https address that an organization names. */
export const httpsAddress = (max: number) =>
  z
    .url({ protocol: /^https$/, error: 'must be an https address', abort: true })
    .max(max, { error: `must have at most ${max} characters` })
    .refine(showsHost, 'must have its host after https://');
