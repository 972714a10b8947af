import { forbidden, type Refusal } from '../../platform/kernel/refusal.ts';

/**
 * The one refusal for a patient who does not exist, is enrolled elsewhere only, never decided, or withdrew: whoever asks
 * learns of nobody who has an account here. It is the same at every endpoint and by every identifier.
 */
export const createNotSharedRefusal = (): Refusal =>
  forbidden('This patient does not exist, or does not share with your organization.', 'no_consent');
