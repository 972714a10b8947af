import { FOUND_BESIDE, FOUND_IN_STORE } from './found-beside.ts';
import { FOUND_BY_WALK } from './found-by-walk.ts';
import { FOUND_OUTSIDE } from './found-outside.ts';

/** Every finding of `chartgate doctor`, by its code. */
export const FINDINGS = { ...FOUND_OUTSIDE, ...FOUND_BESIDE, ...FOUND_IN_STORE, ...FOUND_BY_WALK } as const;

export type FindingCode = keyof typeof FINDINGS;

/** The checks of what all organizations of an installation share: where there are several, they are the operator's alone. */
export const OPERATOR_CHECKS: ReadonlySet<string> = new Set<CheckName>([
  'settings',
  'mail',
  'name_servers',
  'mail_server',
  'identity',
  'object_store',
  'backup',
  'database',
  'schema',
  'archive',
  'records',
  'jobs',
  'secrets',
]);

export type CheckName = (typeof FINDINGS)[FindingCode]['check'];
