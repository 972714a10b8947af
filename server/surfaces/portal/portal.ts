import path from 'node:path';
import { hashPage, serveFiles } from '../../platform/http/pages.route.ts';
import type { Routes } from '../../platform/http/serve.ts';
import { registerAccessLogRoutes } from './access-log.route.ts';
import { registerMyConsentRoutes } from './my-consents.route.ts';
import { registerMyReceiptRoutes } from './my-receipts.route.ts';
import { registerMyDataRoutes } from './my-data.route.ts';
import { registerNoticeRoutes } from './notices/notices.route.ts';
import { registerMyRecordRoutes } from './record/my-record.route.ts';
import { registerMyUploadRoutes } from './my-uploads.route.ts';

/** The build of web/portal. */
const PORTAL = path.resolve(import.meta.dirname, '../../../web/portal/dist');

type Deps<Register extends (routes: Routes, deps: never) => void> = Omit<
  Parameters<Register>[1],
  'portalHash'
>;

type PortalDeps = Deps<typeof registerMyConsentRoutes> &
  Deps<typeof registerMyReceiptRoutes> &
  Deps<typeof registerMyDataRoutes> &
  Deps<typeof registerMyRecordRoutes> &
  Deps<typeof registerMyUploadRoutes> &
  Deps<typeof registerAccessLogRoutes>;

/** The patient's own page: its endpoints, and the app that calls them. The consent page loads the app at `#/my-data`. */
export function registerPortal(routes: Routes, deps: PortalDeps): void {
  const portalHash = hashPage(PORTAL);
  registerMyConsentRoutes(routes, { ...deps, portalHash });
  registerMyReceiptRoutes(routes, deps);
  registerMyDataRoutes(routes, { ...deps, portalHash });
  registerMyRecordRoutes(routes, deps);
  registerMyUploadRoutes(routes, deps);
  registerAccessLogRoutes(routes, deps);
  registerNoticeRoutes(routes, deps);
  serveFiles(routes.app, { basePath: '/consent/portal', folder: PORTAL });
}
