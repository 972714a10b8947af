const REDACTED = '[redacted]';

/**
 * Names whose value never belongs into a log, compared without case, `-` and `_`: headers as a whole, which hold tokens,
 * cookies and addresses, and every name under which OAuth, our forms and our stores carry a secret.
 */
const SECRET_NAMES = new Set(
  `headers rawheaders authorization proxyauthorization cookie cookies setcookie xcsrftoken csrftoken token accesstoken
   refreshtoken idtoken bearer password newpassword currentpassword secret clientsecret apikey apisecret secretkey
   privatekey code codeverifier verifier clientassertion assertion session sessionid challenge totpsecret totppending recoverycodes`.split(
    /\s+/,
  ),
);

/** Codes of errors and refusals share the name `code` with those of OAuth: `ECONNRESET`, `invalid_grant`, `57P01`. */
const isErrorCode = (value: unknown): boolean =>
  typeof value === 'number' ||
  (typeof value === 'string' && /^([A-Z][A-Z0-9_]*|[a-z]+(_[a-z]+)*|[0-9A-Z]{5})$/.test(value));

/** What is a secret wherever it stands: credentials of a header, JWTs, our cookies, and parameters of a URL or a form. */
const SECRET_TEXTS: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+[\w.~+/-]+=*/gi, `$1 ${REDACTED}`],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g, REDACTED],
  [/\b(whsec|cg[a-z]*)_[\w+/=-]{16,}/g, `$1_${REDACTED}`],
  [/(chartgate-(?:session|browser|console)=)[^;,\s"]+/gi, `$1${REDACTED}`],
  [
    /([?&\s"']|^)((?:access_|refresh_|id_)?token|code|code_verifier|client_secret|client_assertion|password|secret|state)=[^&\s"'#]+/gi,
    `$1$2=${REDACTED}`,
  ],
];

/**
 * Redacts one line of the log just before it is written, whoever wrote it and at whatever level: libraries log their
 * options, and with them the headers of a request.
 */
export function redactLogLine(line: string): string {
  try {
    return `${JSON.stringify(redactValue(JSON.parse(line)))}\n`;
  } catch {
    return redactText(line);
  }
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret(name, inner) ? REDACTED : redactValue(inner),
    ]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  const normalized = name.toLowerCase().replace(/[-_]/g, '');
  return SECRET_NAMES.has(normalized) && !(normalized === 'code' && isErrorCode(value));
}

const redactText = (text: string): string =>
  SECRET_TEXTS.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), text);
