import { type Routed, page } from './kit/define-page.tsx';

/**
 * Every page of the console: its path, the permission that it needs, and its component, which is loaded when somebody opens
 * it. The navigation is in pages.ts.
 */
export const ROUTES: readonly Routed[] = [
  page('/', null, async () => (await import('./home/home.tsx')).Home),
  page('/webhooks', 'webhooks.read', async () => (await import('./webhooks/webhooks.tsx')).Webhooks),
  page(
    '/webhooks/new',
    'webhooks.manage',
    async () => (await import('./webhooks/new-webhook.tsx')).NewWebhook,
  ),
  page('/webhooks/$webhookId', 'webhooks.read', async () => (await import('./webhooks/webhook.tsx')).Webhook),
  page(
    '/webhooks/$webhookId/deliveries/$deliveryId',
    'webhooks.read',
    async () => (await import('./webhooks/delivery.tsx')).Delivery,
  ),
  page('/sources', 'sources.read', async () => (await import('./sources/sources.tsx')).Sources),
  page('/sources/new', 'sources.manage', async () => (await import('./sources/new-source.tsx')).NewSource),
  page('/sources/$sourceId', 'sources.read', async () => (await import('./sources/source.tsx')).SourcePage),
  page('/api-keys', 'keys.read', async () => (await import('./api-keys/api-keys.tsx')).ApiKeys),
  page(
    '/test-patients',
    'test_patients.read',
    async () => (await import('./test-patients/test-patients.tsx')).TestPatients,
  ),
  page(
    '/test-patients/$patientId',
    'test_patients.read',
    async () => (await import('./test-patients/test-patient.tsx')).TestPatient,
  ),
  page('/projects', 'projects.read', async () => (await import('./projects/projects.tsx')).Projects),
  page('/projects/$projectId', 'projects.read', async () => (await import('./projects/project.tsx')).Project),
  page('/team', 'members.read', async () => (await import('./team/team.tsx')).Team),
  page(
    '/organization',
    'organization.read',
    async () => (await import('./organization/organization.tsx')).Organization,
  ),
  page(
    '/system-check',
    'deployment.check',
    async () => (await import('./system-check/system-check.tsx')).SystemCheck,
  ),
  page('/profile', null, async () => (await import('./profile/profile.tsx')).Profile),
  page('/reads', 'audit.read', async () => (await import('./reads/reads.tsx')).Reads),
  page('/usage', 'usage.read', async () => (await import('./usage/usage.tsx')).Usage),
  page('/audit', 'audit.read', async () => (await import('./audit/audit.tsx')).Audit),
  page('/patients', 'patients.read', async () => (await import('./patients/patients.tsx')).Patients),
  page(
    '/patients/enroll',
    'patients.enroll',
    async () => (await import('./patients/enroll-patient.tsx')).EnrollPatient,
  ),
  page(
    '/patients/import',
    'patients.enroll',
    async () => (await import('./patients/import/import-patients.tsx')).ImportPatients,
  ),
  page(
    '/patients/$patientId',
    'patients.read',
    async () => (await import('./patients/patient-details.tsx')).PatientDetails,
  ),
  page('/apps', 'clients.read', async () => (await import('./apps/apps.tsx')).Apps),
  page('/apps/$clientId', 'clients.read', async () => (await import('./apps/app-page.tsx')).AppPage),
  page('/consents', 'consents.read', async () => (await import('./consents/consents.tsx')).Consents),
  page(
    '/consents/$consentRecordId',
    'evidence.read',
    async () => (await import('./consents/consent.tsx')).Consent,
  ),
];
