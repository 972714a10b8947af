import { createAttentionItem, type AttentionCheck } from './attention.ts';

/** Creates the check of the service's own settings, which an operator changes. */
export const createSettingsAttention = ({
  http,
  mail,
}: {
  http: { baseUrl: string };
  mail: { smtpUrl: string | undefined };
}): AttentionCheck => ({
  permission: 'organization.write',
  find: () => {
    const shared = { severity: 'notice', target: '/docs/configuration' } as const;
    const isInsecure = new URL(http.baseUrl).protocol === 'http:';
    return Promise.resolve([
      ...(mail.smtpUrl !== undefined
        ? []
        : [createAttentionItem({ ...shared, code: 'mail_not_configured' })]),
      ...(isInsecure ? [createAttentionItem({ ...shared, code: 'base_url_insecure' })] : []),
    ]);
  },
});
