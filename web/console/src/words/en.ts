import { consents } from '../consents/words/en.ts';
import { sources } from '../sources/words/en.ts';
import { webhooks } from '../webhooks/words/en.ts';
import { apiKeys } from '../api-keys/words/en.ts';
import { audit } from '../audit/words/en.ts';
import { apps } from '../apps/words/en.ts';
import { home } from '../home/words/en.ts';
import { organization } from '../organization/words/en.ts';
import { patients } from '../patients/words/en.ts';
import { profile } from '../profile/words/en.ts';
import { projects } from '../projects/words/en.ts';
import { testPatients } from '../test-patients/words/en.ts';
import { team } from '../team/words/en.ts';
import { frame } from './en/frame.ts';
import { reads } from '../reads/words/en.ts';
import { systemCheck } from '../system-check/words/en.ts';
import { usage } from '../usage/words/en.ts';
import { signIn } from './en/sign-in.ts';

/** Everything that the console says; for the tests, since each page brings its own words. */
export const en = {
  ...frame,
  signIn,
  sources,
  webhooks,
  home,
  patients,
  reads,
  usage,
  audit,
  apiKeys,
  projects,
  team,
  organization,
  profile,
  apps,
  consents,
  testPatients,
  systemCheck,
};
