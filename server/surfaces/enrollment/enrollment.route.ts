import * as contract from '../../../contract/account/enrollments.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { decideEnrollment, type DecideDeps } from './decide-enrollment.ts';
import { addScreenOfEnrollment, saveDraftOfEnrollment } from './enrollment-draft.ts';
import { buildEnrollment, listRequests, openInvitation, requireInvitingProject } from './enrollment.ts';

/** Registers the endpoints of the consent page where no app asks: an organization has invited the person. */
export function registerEnrollmentPageRoutes(routes: Routes, deps: DecideDeps & { baseUrl: string }): void {
  serve(routes, contract.getEnrollment, async ({ params: { studyId }, caller: session, browserContext }) => {
    const project = await openInvitation(deps, studyId, session);
    const { browser } = browserContext;
    return buildEnrollment(deps, { project, session, browser, baseUrl: deps.baseUrl });
  });
  serve(routes, contract.listEnrollmentRequests, ({ caller: { patientId } }) =>
    listRequests(deps, patientId),
  );
  serve(
    routes,
    contract.decideEnrollment,
    async ({ params: { studyId }, caller: session, browserContext, body }) => {
      const project = await requireInvitingProject(deps, studyId, session);
      const { browser } = browserContext;
      return { consentRecordId: await decideEnrollment(deps, { project, session, browser, body }) };
    },
  );
  serve(
    routes,
    contract.saveEnrollmentDraft,
    async ({ params: { studyId }, caller: session, browserContext, body }) => {
      const project = await requireInvitingProject(deps, studyId, session);
      return saveDraftOfEnrollment(deps, { project, session, browser: browserContext.browser, body });
    },
  );
  serve(
    routes,
    contract.addEnrollmentScreen,
    async ({ params: { studyId }, caller: session, browserContext, body }) => {
      const project = await requireInvitingProject(deps, studyId, session);
      return addScreenOfEnrollment(deps, { project, session, browser: browserContext.browser, body });
    },
  );
}
