import * as contract from '../../../../contract/account/record-facts.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { countRecord, getFact, listFacts, searchRecord, type MyRecordDeps } from './my-record.ts';

/** What the person's own record holds, for them to read. */
export function registerMyRecordRoutes(routes: Routes, deps: MyRecordDeps): void {
  serve(routes, contract.countMyRecord, ({ caller }) => countRecord(deps, caller));
  serve(routes, contract.listMyFacts, ({ caller, query }) => listFacts(deps, caller, query));
  serve(routes, contract.getMyFact, ({ caller, query: { id } }) => getFact(deps, caller, id));
  serve(routes, contract.searchMyRecord, ({ caller, body: { query } }) => searchRecord(deps, caller, query));
}
