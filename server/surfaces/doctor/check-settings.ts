import { isLoopbackHost } from '../../platform/http/base-url.ts';
import type { DeploymentConfig } from './deployment.ts';
import { createFinding, type Finding } from './finding.ts';

/** Checks what the environment alone shows. */
export function checkSettings(config: DeploymentConfig): Finding[] {
  const found = [
    ...config.unknownVariables.map(({ name, nearest }) =>
      nearest === null
        ? createFinding('setting_unknown', { name })
        : createFinding('setting_misspelt', { name, nearest }),
    ),
    ...config.idleSettings.map((idle) => createFinding('setting_idle', { ...idle })),
    ...checkBaseUrl(config.http),
    ...(isLoopbackHost(new URL(config.http.baseUrl).hostname) ? [] : checkPublicSettings(config)),
    ...checkMailSettings(config.mail),
  ];
  return found.length === 0 ? [createFinding('settings_ok')] : found;
}

/** Others than this machine are refused under a name that is a guess. */
const checkBaseUrl = ({ isBaseUrlGiven, host }: DeploymentConfig['http']): Finding[] =>
  isBaseUrlGiven || isLoopbackHost(host) ? [] : [createFinding('base_url_missing', { host })];

/** What matters once others reach the service. */
function checkPublicSettings({ http, webhooks, sources }: DeploymentConfig): Finding[] {
  const { baseUrl, trustedProxies } = http;
  const opened = [
    ...(webhooks.allowPrivate ? ['CHARTGATE_WEBHOOK_ALLOW_PRIVATE'] : []),
    ...(sources.allowPrivate ? ['CHARTGATE_SOURCES_ALLOW_PRIVATE'] : []),
  ];
  return [
    ...(baseUrl.startsWith('https:') ? [] : [createFinding('base_url_insecure', { baseUrl })]),
    ...(trustedProxies.length === 0 ? [createFinding('no_trusted_proxy')] : []),
    ...opened.map((name) => createFinding('private_network_open', { name })),
  ];
}

function checkMailSettings({ smtpUrl, from }: DeploymentConfig['mail']): Finding[] {
  if (smtpUrl === undefined) return [createFinding('no_mail')];
  return /\.(invalid|example|test|localhost)>?\s*$/.test(from) ? [createFinding('sender_unknown')] : [];
}
