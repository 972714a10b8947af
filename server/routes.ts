import type { Config } from './config.ts';
import type { Identity } from './identity/identity.ts';
import { createBaseUrlResolver } from './platform/http/base-url.ts';
import { createBrowserCookies } from './platform/http/browser-context.ts';
import type { Routes } from './platform/http/serve.ts';
import type { Platform } from './platform/platform.ts';

/** Creates what every endpoint is served with: who calls, whose turn it is, and what is counted. */
export const createRoutes = (
  { app, db, usage }: Platform,
  { tokens, resolveSession }: Identity,
  { http }: Config,
): Routes => ({
  app,
  resolveBaseUrl: createBaseUrlResolver(http.baseUrl),
  authenticate: tokens.verify,
  resolveSession,
  browserCookies: createBrowserCookies(http),
  usage,
  requireCapacity: (use) => db.capacity.require(use),
  runAs: (owner, work) => db.runAs(owner, work),
});
