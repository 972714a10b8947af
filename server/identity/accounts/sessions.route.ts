import { MAX_ACCOUNT_EVENTS } from '../../../contract/account/sessions.ts';
import * as contract from '../../../contract/account/sessions.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { maybeOne } from '../../platform/db/db.ts';
import * as statements from './accounts.sql.ts';
import { changePassword, type ChangeDeps } from './change-password.ts';
import { describeDevice } from './device.ts';
import { life, hashSession } from './session.ts';

/** A node of a later version, which serves from the same store, may write others. */
const KNOWN_KINDS: ReadonlySet<string> = new Set(contract.AccountEvent.shape.kind.options);

/** Where a person is signed in, and what happened to their account. */
export function registerSessionRoutes(routes: Routes, deps: ChangeDeps): void {
  const { db, clock } = deps;
  serve(routes, contract.listSessions, async ({ caller: { patientId }, browserContext }) => {
    const rows = await db.query(
      statements.findSessions(patientId, hashSession(browserContext.session), clock.now()),
    );
    return {
      sessions: rows.map(life.toSessionDto),
    };
  });
  serve(routes, contract.endSession, async ({ caller: { patientId }, body: { id } }) => {
    await db.tx(async (tx) => {
      const ended = await maybeOne(tx, statements.deleteSessionById(patientId, id));
      if (!ended) throw notFound('The session');
      const event = { patientId, kind: 'session_ended', device: ended.device, at: clock.now() } as const;
      await tx.query(statements.insertAccountEvent(event));
    });
    return undefined;
  });
  serve(routes, contract.endOtherSessions, async ({ caller: { patientId }, browserContext }) => {
    await db.tx(async (tx) => {
      const ended = await tx.query(
        statements.deleteOtherSessions(patientId, hashSession(browserContext.session)),
      );
      for (const { device } of ended)
        await tx.query(
          statements.insertAccountEvent({ patientId, kind: 'session_ended', device, at: clock.now() }),
        );
    });
    return undefined;
  });
  serve(
    routes,
    contract.changePassword,
    async ({ caller: session, address, requestId, body, browserContext }) => {
      const device = describeDevice(browserContext.userAgent);
      browserContext.setSession(await changePassword(deps, { session, address, requestId, device, ...body }));
      return undefined;
    },
  );
  serve(routes, contract.listAccountEvents, async ({ caller: { patientId } }) => {
    const rows = await db.query(statements.findAccountEvents(patientId, MAX_ACCOUNT_EVENTS));
    return {
      events: rows.flatMap(({ event_id: id, at, kind, device }) =>
        KNOWN_KINDS.has(kind) ? { id, at: at.toISOString(), kind, device } : [],
      ),
    };
  });
}
