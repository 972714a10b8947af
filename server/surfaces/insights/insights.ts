import type { Routes } from '../../platform/http/serve.ts';
import { registerUsageRoutes, type UsageDeps } from './usage.route.ts';
import { registerAuditEventRoutes, type AuditEventsDeps } from './audit-events.route.ts';

/** What an organization sees of its own running: its log, who reads, what is used, what needs somebody. */
export function registerInsights(routes: Routes, deps: AuditEventsDeps & UsageDeps): void {
  registerAuditEventRoutes(routes, deps);
  registerUsageRoutes(routes, deps);
}
