import { z } from 'zod';
import { toPlainPersonName } from './account/person-name.ts';

/** A name of a person as it is taken: what would turn or cover the text around it is left out, as of the names of apps. */
export const personNameInput = (maxLength: number) =>
  z.string().overwrite(toPlainPersonName).min(1).max(maxLength);
