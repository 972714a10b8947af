import * as contract from '../../../contract/organization/patients.ts';
import type { Audit } from '../../platform/audit/append.ts';
import type { Db } from '../../platform/db/db.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { getFunnel, listPatients, type IsAtSource } from './list-patients.ts';
import { sendInvitations } from './send-invitations.ts';

interface Deps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: Jobs;
  consentAppUrl: string;
  isAtSource: IsAtSource;
}

/** Registers the list of an organization's patients, and what is done with a filter of it. */
export function registerPatientRoutes(routes: Routes, deps: Deps): void {
  serve(routes, contract.listPatients, ({ caller, query }) => listPatients(deps, caller, query));
  serve(routes, contract.getPatientFunnel, ({ caller, query }) => getFunnel(deps, caller, query));
  serve(routes, contract.sendInvitations, ({ caller, body }) => sendInvitations(deps, caller, body));
}
