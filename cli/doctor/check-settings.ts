import { findMisspeltVariables } from '../../server/check-environment.ts';
import type { Config } from '../../server/config.ts';
import { isLoopbackHost } from '../../server/platform/http/base-url.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

/** Checks what the environment alone shows. */
export function checkSettings(config: Config, environment: NodeJS.ProcessEnv): Finding[] {
  const found = [
    ...findMisspeltVariables(environment).map((sentence) =>
      warning('settings', sentence, 'Correct its name, or remove it.'),
    ),
    ...(isLoopbackHost(new URL(config.http.baseUrl).hostname) ? [] : checkPublicSettings(config)),
    ...checkMailSettings(config.mail),
  ];
  return found.length === 0 ? [ok('settings', 'The settings fit each other.')] : found;
}

/** What matters once others reach the service. */
function checkPublicSettings({ http, webhooks, sources }: Config): Finding[] {
  const found: Finding[] = [];
  if (!http.baseUrl.startsWith('https:'))
    found.push(
      failed(
        'settings',
        `The base URL ${http.baseUrl} is not https: tokens and records could be read on their way.`,
        'Put a proxy with a certificate in front (docs/install.md) and set CHARTGATE_BASE_URL to its https address.',
      ),
    );
  if (http.trustedProxies.length === 0)
    found.push(
      warning(
        'settings',
        'No proxy is trusted: behind one, all clients count as one address, whose limits they share.',
        'Set CHARTGATE_TRUSTED_PROXIES to the address or network of the proxy.',
      ),
    );
  const opened = [
    ...(webhooks.allowPrivate ? ['CHARTGATE_WEBHOOK_ALLOW_PRIVATE'] : []),
    ...(sources.allowPrivate ? ['CHARTGATE_SOURCES_ALLOW_PRIVATE'] : []),
  ];
  for (const name of opened)
    found.push(
      warning(
        'settings',
        `${name} lets an organization reach addresses of your own network.`,
        'Remove it, unless every organization here is your own.',
      ),
    );
  return found;
}

function checkMailSettings({ smtpUrl, from }: Config['mail']): Finding[] {
  if (smtpUrl === undefined)
    return [
      warning(
        'mail',
        'There is no mail server: mails are files, and no patient gets an invitation or a receipt.',
        'Set SMTP_URL and CHARTGATE_MAIL_FROM.',
      ),
    ];
  if (!/\.(invalid|example|test|localhost)>?\s*$/.test(from)) return [];
  return [
    failed(
      'mail',
      'The sender of mails is at a name that does not exist: mail servers refuse it.',
      'Set CHARTGATE_MAIL_FROM to an address of your own domain.',
    ),
  ];
}
