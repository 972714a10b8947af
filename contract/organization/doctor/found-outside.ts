import { failed, ok, skipped, warning } from './finding-sentences.ts';

/** What the environment, and the service under its base URL, show. */
export const FOUND_OUTSIDE = {
  settings_ok: ok('settings', 'The settings fit each other.'),
  setting_unknown: warning(
    'settings',
    '{name} is no setting of Chartgate and has no effect.',
    'Correct its name, or remove it.',
  ),
  setting_misspelt: warning(
    'settings',
    '{name} is no setting of Chartgate and has no effect; did you mean {nearest}?',
    'Correct its name, or remove it.',
  ),
  setting_idle: warning(
    'settings',
    '{name} has no effect: {needs} is not set.',
    'Set {needs}, or take {name} away.',
  ),
  base_url_missing: failed(
    'settings',
    'Other machines reach the service (HOST {host}), and CHARTGATE_BASE_URL is not set: to them it answers 403.',
    'Set CHARTGATE_BASE_URL to the address that patients and agents use.',
  ),
  base_url_insecure: failed(
    'settings',
    'The base URL {baseUrl} is not https: tokens and records could be read on their way.',
    'Put a proxy with a certificate in front (docs/install.md) and set CHARTGATE_BASE_URL to its https address.',
  ),
  no_trusted_proxy: warning(
    'settings',
    'No proxy is trusted: behind one, all clients count as one address, whose limits they share.',
    'Set CHARTGATE_TRUSTED_PROXIES to the address or network of the proxy.',
  ),
  private_network_open: warning(
    'settings',
    '{name} lets an organization reach addresses of your own network.',
    'Remove it, unless every organization here is your own.',
  ),
  no_mail: warning(
    'mail',
    'There is no mail server: mails are files, and no patient gets an invitation or a receipt.',
    'Set SMTP_URL and CHARTGATE_MAIL_FROM.',
  ),
  sender_unknown: failed(
    'mail',
    'The sender of mails is at a name that does not exist: mail servers refuse it.',
    'Set CHARTGATE_MAIL_FROM to an address of your own domain.',
  ),
  name_not_needed: skipped('name_servers', 'The base URL has no name to look up.'),
  name_known: ok('name_servers', '{hostname} is {addresses}.'),
  name_unknown: failed(
    'name_servers',
    'No name server knows {hostname}.',
    'Add the name to your DNS, or correct CHARTGATE_BASE_URL; on this machine, look at /etc/resolv.conf.',
  ),
  reachable: ok('reachable', '{baseUrl} answers.'),
  other_answers: failed(
    'reachable',
    '{baseUrl}/healthz answers {status}: something else answers there.',
    'Let the proxy hand every path of this address to the service, unchanged.',
  ),
  unreachable: failed(
    'reachable',
    '{baseUrl} does not answer: {reason}.',
    'Start the service, and let the proxy and the firewall hand this address to it.',
  ),
  ready: ok('ready', 'The store answers.'),
  clocks_differ: failed(
    'ready',
    'The service is not ready: clocks_differ.',
    'Synchronize the clocks of the nodes and of the database server (NTP).',
  ),
  not_ready: failed(
    'ready',
    'The service is not ready: {reason}.',
    'Look at the log of the node, and at the database.',
  ),
  clock_unknown: skipped('clock', 'The answer has no Date header.'),
  clock_ok: ok('clock', 'The clock of the service is that of this machine.'),
  clock_wrong: failed(
    'clock',
    'The clocks of the service and of this machine are {seconds} seconds apart.',
    'Synchronize both (NTP): tokens and consents end by them.',
  ),
  issuer_ok: ok('issuer', 'The service calls itself by its base URL.'),
  host_refused: failed(
    'issuer',
    'The service refuses the Host header that arrives: the proxy sends another one.',
    'Let the proxy pass the Host header on unchanged.',
  ),
  issuer_unknown: failed(
    'issuer',
    'The service does not say what it calls itself: OAuth clients refuse that.',
    'Set CHARTGATE_BASE_URL of every node to the address that clients use.',
  ),
  issuer_differs: failed(
    'issuer',
    'The service calls itself {issuer}, and not {baseUrl}: OAuth clients refuse that.',
    'Set CHARTGATE_BASE_URL of every node to the address that clients use.',
  ),
  challenge_ok: ok('challenge', 'An agent without a token learns where to get one.'),
  challenge_missing: failed(
    'challenge',
    'POST /mcp without a token answers {status} without naming the authorization server: agents cannot sign in.',
    'Let the proxy pass on 401 and the WWW-Authenticate header, and ask for no password of its own.',
  ),
  uploads_ok: ok('large_uploads', 'Nothing in front refuses uploads of {megabytes} MB.'),
  uploads_refused: failed(
    'large_uploads',
    'A proxy refuses uploads of {megabytes} MB.',
    'Raise its limit (nginx: client_max_body_size 0; the service has limits of its own).',
  ),
  certificate_unknown: skipped('certificate', 'The end of the certificate is not known.'),
  certificate_ok: ok('certificate', 'The certificate is valid for {days} days more.'),
  certificate_ends: warning(
    'certificate',
    'The certificate ends in {days} days.',
    'Renew it; where that happens by itself, look why it did not.',
  ),
  plain_http: warning(
    'plain_http',
    'http://{hostname} serves too: who types the name without https sends tokens in the clear.',
    'Let the proxy redirect port 80 to https, and send Strict-Transport-Security.',
  ),
  no_plain_http: ok('plain_http', 'Nothing is served without TLS.'),
} as const;
