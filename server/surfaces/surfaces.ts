import path from 'node:path';
import type { ProjectId } from '../../contract/brands.ts';
import type { Clinical } from '../clinical/clinical.ts';
import { VOCABULARY } from '../clinical/concepts/read-vocabulary.ts';
import {
  createLoosePhrasesReader,
  createQuestionReader,
  createSpellerReader,
} from '../clinical/search/question/read-question.ts';
import { findConnectedSources } from '../clinical/sources/connected-sources.ts';
import type { Consent } from '../consent/consent.ts';
import type { Identity } from '../identity/identity.ts';
import { hashPage, PREVIEW_HEADERS, serveApp, servePage } from '../platform/http/pages.route.ts';
import { createRecurringJob } from '../platform/jobs/recurring-job.ts';
import type { Routes } from '../platform/http/serve.ts';
import { createNumberSeal, type NumberSeal } from '../platform/kernel/sealed-numbers.ts';
import { createServiceSecret } from '../platform/keys/service-secret.ts';
import { createSecretsAttention } from '../platform/keys/find-attention.ts';
import type { Platform } from '../platform/platform.ts';
import type { Wing } from '../platform/wing.ts';
import { createAppAttention, createAppFirstStep } from './oauth/apps/find-attention.ts';
import { registerDocsRoutes } from './docs/docs.route.ts';
import type { DeploymentConfig } from './doctor/deployment.ts';
import { createDoctorJob } from './doctor/doctor-runs.ts';
import { registerDoctorRoutes } from './doctor/doctor.route.ts';
import { registerEnrollmentPageRoutes } from './enrollment/enrollment.route.ts';
import { registerFhirRoutes } from './fhir/fhir.route.ts';
import { countDays } from './insights/count-days.ts';
import { sumUsageDays } from './insights/sum-usage-days.ts';
import { registerInsights } from './insights/insights.ts';
import type { ProjectFiguresDeps } from './insights/project-figures.ts';
import { registerMcpRoutes } from './mcp/protocol/mcp.route.ts';
import { registerAuthorizationServer } from './oauth/authorization-server.ts';
import { endBlockedConnections } from './oauth/apps/end-connections.ts';
import { purgeOAuth } from './oauth/purge-oauth.ts';
import { createPrepareJob, type RecordSources } from './oauth/requests/prepare-records.ts';
import { createNoticeMailJob } from './portal/notices/notice-mail.ts';
import { createNoticeJobs, purgeReadCounts } from './portal/notices/notices.ts';
import { registerPatientDetails } from './patients/patient-details.route.ts';
import { registerPortal } from './portal/portal.ts';

/** One of each for all services of a process, of which tests start several. */
const SPELLER = createSpellerReader(VOCABULARY.get);
const LOOSE_PHRASES = createLoosePhrasesReader(VOCABULARY.get);
const readQuestion = createQuestionReader(VOCABULARY.get, SPELLER.get, LOOSE_PHRASES.get);

/** What Vite built of web/consent. */
const CONSENT_PAGE = path.resolve(import.meta.dirname, '../../web/consent/dist');

/** What Vite built of web/preview: the review without a decision, for the console. */
const PREVIEW_PAGE = path.resolve(import.meta.dirname, '../../web/preview/dist');

/** What Vite built of web/console, the page of an organization's members. */
const CONSOLE_APP = path.resolve(import.meta.dirname, '../../web/console/dist');

/** How often the days of organizations are counted. */
const DAYS_MS = 3600 * 1000;

/** How often it is looked whether a block catches a connection that it did not end. */
const BLOCKED_APPS_MS = 3600 * 1000;

export interface OAuthConfig {
  /** The project that `/mcp` belongs to; null: the first. */
  projectId: ProjectId | null;
  refreshRetrySeconds: number;
  /** Authorization requests a minute from one address, on each node. */
  rateLimit: number;
  clientMetadataDocuments: boolean;
}

export interface McpConfig {
  /** Requests a minute, per patient and client, on each node. */
  rateLimit: number;
}

export interface SurfacesOptions {
  identity: Identity;
  consent: Consent;
  clinical: Clinical;
  config: { oauth: OAuthConfig; mcp: McpConfig } & DeploymentConfig;
  /** The wings before: each adds to what the surfaces show of the whole. */
  wings: readonly Wing[];
  countWebhooks: ProjectFiguresDeps['countWebhooks'];
  /** Servers that a patient's record is fetched from while an authorization request waits; the connected ones by default. */
  connectedSources: RecordSources['listConnected'] | undefined;
}

/** The doors of the service, but for webhooks, which the wings before need: OAuth, MCP, FHIR and the patient's own pages. */
export function openSurfaces(platform: Platform, options: SurfacesOptions): Wing {
  const { db, clock, jobs, audit, consentAppUrl, send } = platform;
  const { config, wings } = options;
  const secretStores = wings.flatMap((wing) => wing.secretStores ?? []);
  const sources: RecordSources = {
    hasUploadsInFlight: options.clinical.hasUploadsInFlight,
    listConnected: options.connectedSources ?? findConnectedSources(db),
  };
  return {
    registerRoutes: (routes) => registerSurfaces(routes, platform, { ...options, sources }),
    // They mostly wait, up to two minutes for each source.
    pools: [
      { kinds: [createPrepareJob({ db, clock, sources })], concurrency: 32 },
      { kinds: [createDoctorJob({ db, clock, audit, jobs, config, secretStores })], concurrency: 1 },
    ],
    quickJobs: [createNoticeMailJob({ db, send, consentAppUrl })],
    recurringJobs: [
      ...createNoticeJobs({ db, clock, jobs }),
      createRecurringJob('oauth.blocked_apps', BLOCKED_APPS_MS, () =>
        endBlockedConnections({ db, clock, audit }),
      ),
      createRecurringJob('insights.days', DAYS_MS, (signal) => countDays({ db, clock }, signal)),
      createRecurringJob('insights.usage', DAYS_MS, (signal) => sumUsageDays({ db, clock }, signal)),
    ],
    async prepare() {
      await VOCABULARY.prepare();
      await SPELLER.prepare();
      await LOOSE_PHRASES.prepare();
    },
    async purge() {
      await purgeOAuth({ db, clock });
      await purgeReadCounts({ db, clock });
    },
  };
}

function registerSurfaces(
  routes: Routes,
  platform: Platform,
  options: SurfacesOptions & { sources: RecordSources },
): void {
  const { db, clock, jobs, audit, keys, outbound, usage, baseUrl, consentAppUrl } = platform;
  const { consent, config, sources } = options;
  const { tokens, throttle } = options.identity;
  const uiHash = hashPage(CONSENT_PAGE);
  const decisions = { ...consent.decisions, db, objects: platform.objects, baseUrl };
  registerAuthorizationServer(routes, {
    ...decisions,
    jobs,
    tokens,
    outbound,
    sources,
    consentAppUrl,
    oauth: config.oauth,
    uiHash,
  });
  registerEnrollmentPageRoutes(routes, { ...decisions, uiHash });
  registerMcpRoutes(routes, {
    db,
    clock,
    audit,
    usage,
    consentAppUrl,
    readQuestion,
    embedQuestion: options.clinical.embedQuestion,
    tokens,
    rateLimit: config.mcp.rateLimit,
    telemetry: platform.telemetry,
  });
  registerOrganizationDoors(routes, platform, options);
  registerPortal(routes, {
    ...decisions,
    jobs,
    clock,
    audit,
    keys,
    throttle,
    readQuestion,
    embedQuestion: options.clinical.embedQuestion,
    quotas: options.clinical.uploadQuotas,
    emitUpdate: options.clinical.emitUpdate,
    signReceipt: consent.signReceipt,
    readReceipt: consent.readReceipt,
  });
  servePages(routes, platform);
}

/** Serves the documentation, and the pages of patients and of members. */
function servePages(routes: Routes, { app, baseUrl, consentAppUrl }: Platform): void {
  registerDocsRoutes(routes, { consentAppUrl });
  servePage(app, { basePath: '/consent', folder: CONSENT_PAGE });
  servePage(app, { basePath: '/consent-preview', folder: PREVIEW_PAGE, headers: PREVIEW_HEADERS });
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  serveApp(app, { basePath: '/console', folder: CONSOLE_APP, prefix });
}

/** What partners read, and what an organization sees of its patients and of its own running. */
function registerOrganizationDoors(
  routes: Routes,
  platform: Platform,
  { wings, countWebhooks }: Pick<SurfacesOptions, 'wings' | 'countWebhooks'>,
): void {
  const { db, clock, audit, jobs, keys, baseUrl } = platform;
  registerFhirRoutes(routes, { db, clock, audit, baseUrl, cursorSeal: createCursorSeal(platform) });
  registerPatientDetails(routes, { db, clock, audit });
  registerDoctorRoutes(routes, { db, clock, audit, jobs });
  registerInsights(routes, {
    db,
    clock,
    audit,
    keys,
    baseUrl,
    attentionChecks: [
      ...wings.flatMap((wing) => wing.attentionChecks ?? []),
      createAppAttention(db),
      createSecretsAttention(
        platform.secrets,
        wings.flatMap((wing) => wing.secretStores ?? []),
      ),
    ],
    firstStepChecks: [...wings.flatMap((wing) => wing.firstStepChecks ?? []), createAppFirstStep(db)],
    countWebhooks,
  });
}

/** Creates the getter of the seal of paging links. */
function createCursorSeal(platform: Platform): () => Promise<NumberSeal> {
  const getSecret = createServiceSecret(platform, 'cursor');
  let seal: NumberSeal | undefined;
  return async () => (seal ??= createNumberSeal(await getSecret()));
}
