import type { Caller } from '../../contract/audience.ts';
import type { ProjectId } from '../../contract/brands.ts';
import type { ResolveSession } from '../platform/http/access.ts';
import { createKeyAttention } from './organizations/find-attention.ts';
import type { MailConfig, Platform } from '../platform/platform.ts';
import type { Routes } from '../platform/http/serve.ts';
import type { Wing } from '../platform/wing.ts';
import { registerAccountRoutes } from './accounts/accounts.route.ts';
import { registerEmailChangeRoutes } from './accounts/email/email-change.route.ts';
import { createPasswordRule } from './accounts/password-rule.ts';
import { createAccountLimits, type AccountLimits } from './accounts/limits.ts';
import { createRelyingParty } from './accounts/passkeys/relying-party.ts';
import { registerPasskeyRoutes } from './accounts/passkeys/passkeys.route.ts';
import { purgeExpiredAccountData } from './accounts/purge-expired.ts';
import { resolveSession } from './accounts/session.ts';
import { registerApiKeyRoutes } from './organizations/api-keys.route.ts';
import { getAddressesSince } from './organizations/api-keys.ts';
import { deleteAddressesBefore } from './organizations/key-addresses.sql.ts';
import { registerOrganizationRoutes } from './organizations/organization.route.ts';
import { registerProjectRoutes } from './organizations/projects.route.ts';
import { requireOwnProject } from './organizations/projects.ts';
import type { NewVersionHook } from './organizations/change-project.ts';
import type { ProjectRow } from './organizations/projects.sql.ts';
import { verifyApiKey } from './organizations/verify-api-key.ts';
import { registerConsoleRoutes } from './members/console.route.ts';
import { resolveMemberSession } from './members/member-session.ts';
import { registerMemberRoutes } from './members/members.route.ts';
import { createOidcProvider, type OidcConfig, type OidcProvider } from './members/oidc/provider.ts';
import { createEraseJob } from './patients/delete-patient.ts';
import { purgeUnusedPersons } from './patients/purge-unused.ts';
import { createPasswordLinkJob } from './members/password-link.ts';
import { purgeExpiredMemberData } from './members/purge-expired.ts';
import { createFactorLimits } from './members/sign-in.ts';
import { createMemberSecrets } from './members/stored-secrets.ts';
import type { CreateRecords } from './patients/create-patients.ts';
import type { OnPersonChanged } from './patients/enrolled-patients.ts';
import type { FindStandings } from './patients/enroll-patients.ts';
import { registerEnrollmentRoute } from './patients/enrollment.route.ts';
import type { IsAtSource } from './patients/list-patients.ts';
import { registerPatientRoutes } from './patients/patients.route.ts';
import type { EndConsents } from './patients/test-patients.ts';
import { registerTestPatientRoutes } from './patients/test-patients.route.ts';
import { verifyPatientPassword } from './patients/verify-password.ts';
import { createAccessTokens, type AccessTokens } from './tokens/access-token.ts';
import { createCredentialLookup } from './credential-lookup.ts';
import { createIdentityFirstSteps } from './first-steps.ts';
import type { GrantClaims } from './tokens/claims.ts';
import { reportFailedSignIn } from './report-failed-sign-in.ts';
import { createLoginThrottle, type LoginThrottle, type Who } from './tokens/login-throttle.ts';
import { createPasswordLine, type PasswordLine } from './tokens/password-line.ts';
import { purgeCounts } from './tokens/stored-limiter.ts';
import { registerTokenRoutes } from './tokens/token.route.ts';

export interface Identity extends Wing {
  tokens: AccessTokens;
  throttle: LoginThrottle;
  resolveSession: ResolveSession;
  /** Returns the project; throws 404 when there is none and 403 when it is another organization's. */
  requireOwnProject(caller: Caller, projectId: ProjectId): Promise<ProjectRow>;
}

interface IdentityOptions {
  /** Called at every use of an OAuth token. */
  isGrantUsable(grant: Pick<GrantClaims, 'sub' | 'gid'>, expiresAt: Date): Promise<boolean>;
  createRecords: CreateRecords;
  onPersonChanged: OnPersonChanged;
  /** Called when a project changes its words for patients, or what it asks for, in that transaction. */
  onNewVersion: NewVersionHook;
  findStandings: FindStandings;
  isAtSource: IsAtSource;
  endConsents: EndConsents;
  config: {
    signUpLimit: number;
    oidc: OidcConfig | null;
    mail: Pick<MailConfig, 'smtpUrl'>;
  };
}

/** Opens the wing of organizations, patients, their accounts and the tokens of both. */
export function openIdentity(platform: Platform, options: IdentityOptions): Identity {
  const { isGrantUsable, createRecords, config } = options;
  const { db, clock, jobs, audit, keys, report, baseUrl, consentAppUrl } = platform;
  const oidc = config.oidc && createOidcProvider(platform, config.oidc);
  const limits = createAccountLimits(db, config.signUpLimit);
  const passwords = createPasswordLine();
  const onFailure = (who: Who): Promise<void> => reportFailedSignIn({ db, report }, who);
  const throttle = createLoginThrottle({ db, clock, passwords, onFailure });
  const tokens = createAccessTokens({
    keys,
    clock,
    baseUrl,
    isGrantUsable,
    isCredentialCurrent: createCredentialLookup({ db, clock }),
  });
  const identity: Identity = {
    tokens,
    throttle,
    resolveSession: (session, kind) =>
      (kind === 'console' ? resolveMemberSession : resolveSession)({ db, clock }, session),
    requireOwnProject: (caller, projectId) => requireOwnProject(db, caller, projectId),
    registerRoutes(routes) {
      registerTokenRoutes(routes, { tokens, throttle, keys, credentials: createCredentials(platform) });
      registerOrganizations(routes, platform, options.onNewVersion);
      registerTestPatientRoutes(routes, { ...platform, ...options, passwords, tokens });
      const patients = { db, clock, jobs, audit, consentAppUrl };
      registerEnrollmentRoute(routes, {
        ...patients,
        createRecords,
        findStandings: options.findStandings,
        countMail: limits.countMail,
        onPersonChanged: options.onPersonChanged,
        requireOwnProject: identity.requireOwnProject,
      });
      registerPatientRoutes(routes, { ...patients, isAtSource: options.isAtSource });
      const accounts = { db, clock, jobs, throttle, passwords, limits, baseUrl, consentAppUrl };
      registerAccountRoutes(routes, { ...accounts, createRecords });
      registerPasskeyRoutes(routes, accounts);
      registerEmailChangeRoutes(routes, accounts);
      const keepsMails = config.mail.smtpUrl === undefined;
      registerMembers(routes, platform, { limits, passwords, throttle, oidc, keepsMails });
    },
    secretStores: [createMemberSecrets(db)],
    attentionChecks: [createKeyAttention(db)],
    firstStepChecks: createIdentityFirstSteps(db),
    quickJobs: [createPasswordLinkJob({ db, clock, jobs, audit, baseUrl, oidc }), createEraseJob(db)],
    purge: (signal) => purgeExpired({ db, clock, jobs }, signal),
  };
  return identity;
}

async function purgeExpired(
  deps: Pick<Platform, 'db' | 'clock' | 'jobs'>,
  signal: AbortSignal,
): Promise<void> {
  await purgeCounts(deps);
  await deps.db.query(deleteAddressesBefore(getAddressesSince(deps.clock.now())));
  await purgeExpiredAccountData(deps);
  await purgeExpiredMemberData(deps);
  await purgeUnusedPersons(deps, signal);
}

function registerOrganizations(
  routes: Routes,
  { db, clock, audit }: Platform,
  onNewVersion: NewVersionHook,
): void {
  registerOrganizationRoutes(routes, { db, audit });
  registerApiKeyRoutes(routes, { db, clock, audit });
  registerProjectRoutes(routes, { db, clock, audit, onNewVersion });
}

function registerMembers(
  routes: Routes,
  { db, clock, jobs, audit, baseUrl, secrets }: Platform,
  shared: {
    limits: AccountLimits;
    passwords: PasswordLine;
    throttle: LoginThrottle;
    oidc: OidcProvider | null;
    keepsMails: boolean;
  },
): void {
  const { limits, oidc } = shared;
  registerMemberRoutes(routes, { db, clock, jobs, audit, baseUrl, oidc, countMail: limits.countMail });
  registerConsoleRoutes(routes, {
    db,
    clock,
    jobs,
    audit,
    secrets,
    ...shared,
    passwordRule: createPasswordRule(),
    ...createFactorLimits(db),
    party: createRelyingParty({ baseUrl, consentAppUrl: baseUrl }),
  });
}

const createCredentials = ({ db, clock }: Platform) => ({
  apiKey: (login: Parameters<typeof verifyApiKey>[1]) => verifyApiKey({ db, clock }, login),
  patient: (login: Parameters<typeof verifyPatientPassword>[1]) => verifyPatientPassword(db, login),
});
