import { consents } from '../consents/words/es.ts';
import { sources } from '../sources/words/es.ts';
import { webhooks } from '../webhooks/words/es.ts';
import { apiKeys } from '../api-keys/words/es.ts';
import { audit } from '../audit/words/es.ts';
import { apps } from '../apps/words/es.ts';
import { home } from '../home/words/es.ts';
import { organization } from '../organization/words/es.ts';
import { patients } from '../patients/words/es.ts';
import { profile } from '../profile/words/es.ts';
import { projects } from '../projects/words/es.ts';
import { testPatients } from '../test-patients/words/es.ts';
import { team } from '../team/words/es.ts';
import { frame } from './es/frame.ts';
import { reads } from '../reads/words/es.ts';
import { systemCheck } from '../system-check/words/es.ts';
import { usage } from '../usage/words/es.ts';
import { signIn } from './es/sign-in.ts';

export const es = {
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
