import type { MyConsent } from '../../contract/my-consents.ts';
import * as contract from '../../contract/my-consents.ts';
import type { PatientId } from '../../contract/ids.ts';
import { serve, type Routes } from '../http/serve.ts';
import { Refusal } from '../kernel/refusal.ts';
import { consentsInForce, type MyConsentRow } from './my-consents.sql.ts';
import { withdraw, type Deps } from './record-decision.ts';

interface RouteDeps extends Deps {
  /** Who a session's cookie stands for. */
  signedIn(session: string | null): Promise<{ patientId: PatientId } | null>;
}

/** The person's own view of what they consent to, and the way out. */
export function myConsentRoutes(routes: Routes, deps: RouteDeps): void {
  const demand = async (session: string | null): Promise<PatientId> => {
    const person = await deps.signedIn(session);
    if (!person) throw new Refusal(401, 'not_signed_in', { detail: 'Sign in first.' });
    return person.patientId;
  };
  serve(routes, contract.listMyConsents, async ({ visitor }) => {
    const patientId = await demand(visitor.session);
    return { consents: (await deps.db.query(consentsInForce(patientId, deps.clock.now()))).map(shown) };
  });
  serve(routes, contract.withdrawMyConsent, async ({ visitor, body: { projectId } }) => {
    const patientId = await demand(visitor.session);
    await withdraw(deps, { patientId, projectId, consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE' });
    return undefined;
  });
}

interface App {
  client_id: string;
  client_name: string | null;
  created_at: string;
}

const shown = (row: MyConsentRow): MyConsent => ({
  organization: { name: row.organization_name },
  project: { id: row.project_id, name: row.project_name },
  since: row.decided_at.toISOString(),
  until: row.expires_at.toISOString(),
  apps: (JSON.parse(row.apps) as App[]).map((app) => ({
    name: app.client_name,
    // A client that is named by its document is an address; the others are ids that we chose.
    verifiedHost: URL.parse(app.client_id)?.hostname ?? null,
    since: new Date(app.created_at).toISOString(),
  })),
});
