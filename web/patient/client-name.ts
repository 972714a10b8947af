import { toPlainClientName } from '../../contract/account/client-name.ts';
import type { PatientWords } from './words/en.ts';

/** Returns the name a client gave itself, safe in our sentences, or what an app without a name is called. */
export const formatClientName = ({ name }: { name: string | null }, { common }: PatientWords): string =>
  toPlainClientName(name) || common.unnamedClient;
