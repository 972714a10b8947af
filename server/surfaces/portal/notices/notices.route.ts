import * as contract from '../../../../contract/account/notices.ts';
import type { Db } from '../../../platform/db/db.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { findSettings, updateSettings } from './notice-settings.ts';

/** Which mails a person gets about the use of their record. */
export function registerNoticeRoutes(routes: Routes, deps: { db: Db; clock: Clock }): void {
  serve(routes, contract.getMyNotices, async ({ caller: { patientId } }) => {
    return { settings: await findSettings(deps.db, patientId) };
  });
  serve(routes, contract.updateMyNotices, async ({ caller: { patientId }, body }) => {
    await updateSettings(deps, patientId, body);
    return undefined;
  });
}
