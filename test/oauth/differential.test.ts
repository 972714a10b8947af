import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  buildAuthorizeParameters,
  createBrowser,
  toCodeChallenge,
  obtainCode,
  exchangeCode,
  newVerifier,
  registerClient,
  createUser,
  type Browser,
  type Person,
  type Target,
  type User,
} from '../bench/oauth-load-client.ts';
import { isLong } from '../harness/long.ts';
import { newTestPatient, startTestService, type TestService } from '../harness/service.ts';
import { classifyAuthorizeResponse, startOracle, classifyTokenResponse, type Oracle } from './oracle.ts';

/**
 * Our authorization server and oidc-provider, asked the same: what one accepts the other accepts, but for the
 * differences that are named below with their reasons.
 */

const REDIRECT_URI = 'https://client.example/callback';
const LOOPBACK = 'http://127.0.0.1/callback';

/** Values of each parameter, none to many; {names} stand for what differs between the two servers. */
type Parameters = Readonly<Record<string, readonly string[]>>;
interface Mutation {
  name: string;
  values: readonly string[];
}

const AUTHORIZE: Parameters = {
  response_type: ['code'],
  client_id: ['{client}'],
  redirect_uri: [REDIRECT_URI],
  scope: ['patient/*.read offline_access'],
  state: ['af0ifjsldkj'],
  code_challenge: ['{challenge}'],
  code_challenge_method: ['S256'],
};

const absentEmptyTwice = (value: string): string[][] => [[], [''], [value, value]];
const each = (...values: string[]): string[][] => values.map((value) => [value]);

const AUTHORIZE_ALPHABET: Readonly<Record<string, readonly (readonly string[])[]>> = {
  response_type: [
    ...absentEmptyTwice('code'),
    ...each('token', 'id_token', 'code token', 'code id_token', 'none', 'CODE', 'code code'),
  ],
  client_id: [
    ...absentEmptyTwice('{client}'),
    ...each('{other}', '{client}x', 'nobody', '00000000-0000-4000-8000-000000000000', "' or 1=1 --"),
  ],
  redirect_uri: [
    ...absentEmptyTwice(REDIRECT_URI),
    [REDIRECT_URI, 'https://evil.example/callback'],
    ...each(
      LOOPBACK,
      'http://127.0.0.1:49152/callback',
      'http://127.0.0.1:99999/callback',
      'http://localhost:49152/callback',
      'http://127.1:49152/callback',
      'http://127.0.0.1:1@evil.example/callback',
      `${REDIRECT_URI}/`,
      `${REDIRECT_URI}?more=1`,
      `${REDIRECT_URI}#fragment`,
      'https://client.example/Callback',
      'https://client.example/x/../callback',
      'https://client.example:8443/callback',
      'https://client.example.evil.example/callback',
      'https://somebody@client.example/callback',
      'http://client.example/callback',
      'https://other.example/callback',
      'javascript:alert(1)',
      'callback',
    ),
  ],
  scope: [
    ...absentEmptyTwice('patient/*.read'),
    ...each(
      'patient/*.read',
      'offline_access',
      'offline_access patient/*.read',
      'patient/*.read patient/*.read',
      'patient/*.read unheard_of',
      'unheard_of',
      'patient/*.write',
      'patient/*.read  offline_access',
      ' patient/*.read',
      'patient/*.read "quoted"',
    ),
  ],
  state: [
    ...absentEmptyTwice('one'),
    ...each('a b&c#d', 'x\r\nset-cookie: a=b', '☃', 'x'.repeat(4096), 'x'.repeat(4097)),
  ],
  code_challenge: [
    ...absentEmptyTwice('{challenge}'),
    ...each(
      'x'.repeat(42),
      'x'.repeat(44),
      'x'.repeat(128),
      'x'.repeat(129),
      `${'x'.repeat(42)}!`,
      `${'x'.repeat(42)}~`,
    ),
  ],
  code_challenge_method: [...absentEmptyTwice('S256'), ...each('plain', 's256')],
  resource: [
    [''],
    ['{mcp}', '{mcp}'],
    ['{mcp}', 'https://evil.example/mcp'],
    ...each('{mcp}', '{mcp}/', '{mcp}#fragment', '{mcp}?more=1', 'https://evil.example/mcp', 'mcp'),
  ],
  prompt: [
    [''],
    ['consent', 'consent'],
    ...each('none', 'login', 'consent', 'login consent', 'none consent', 'unheard_of'),
  ],
  response_mode: [
    [''],
    ['query', 'query'],
    ...each('query', 'fragment', 'form_post', 'web_message', 'unheard_of'),
  ],
  request: [[''], ...each('eyJhbGciOiJub25lIn0.e30.')],
  request_uri: [[''], ...each('https://client.example/request')],
  nonce: each('n-0S6_WzA2Mj'),
  max_age: each('0', '-1'),
  registration: each('{}'),
  unheard_of: [['1'], ['1', '2']],
};

const CODE_GRANT: Parameters = {
  grant_type: ['authorization_code'],
  client_id: ['{client}'],
  redirect_uri: [REDIRECT_URI],
  code: ['{code}'],
  code_verifier: ['{verifier}'],
};

const CODE_GRANT_ALPHABET: Readonly<Record<string, readonly (readonly string[])[]>> = {
  grant_type: [
    ...absentEmptyTwice('authorization_code'),
    ...each('refresh_token', 'password', 'client_credentials', 'implicit', 'constructor'),
  ],
  client_id: [
    ...absentEmptyTwice('{client}'),
    ...each('{other}', 'nobody', '00000000-0000-4000-8000-000000000000'),
  ],
  redirect_uri: [
    ...absentEmptyTwice(REDIRECT_URI),
    ...each(LOOPBACK, `${REDIRECT_URI}/`, 'https://other.example/callback'),
  ],
  code: [...absentEmptyTwice('{code}'), ...each('{code}x', 'garbage', '{verifier}')],
  code_verifier: [
    ...absentEmptyTwice('{verifier}'),
    ...each(
      '{verifier}x',
      '{challenge}',
      'x'.repeat(42),
      'x'.repeat(43),
      'x'.repeat(129),
      'x'.repeat(257),
      `${'x'.repeat(43)}!`,
      // Right ones, of these lengths.
      '{verifier:128}',
      '{verifier:129}',
      '{verifier:171}',
      '{verifier:256}',
      '{verifier:257}',
    ),
  ],
  resource: [
    [''],
    ['{mcp}', '{mcp}'],
    ...each('{mcp}', '{mcp}/', 'https://evil.example/mcp', '{mcp}#fragment', 'mcp'),
  ],
  scope: [['patient/*.read', 'patient/*.read'], ...each('patient/*.read', 'unheard_of')],
  refresh_token: each('garbage'),
  client_secret: each('secret'),
  unheard_of: [['1'], ['1', '2']],
};

const REFRESH: Parameters = {
  grant_type: ['refresh_token'],
  client_id: ['{client}'],
  refresh_token: ['{refresh}'],
};

const REFRESH_ALPHABET: Readonly<Record<string, readonly (readonly string[])[]>> = {
  grant_type: [...absentEmptyTwice('refresh_token'), ...each('authorization_code', 'REFRESH_TOKEN')],
  client_id: [...absentEmptyTwice('{client}'), ...each('{other}', 'nobody')],
  refresh_token: [...absentEmptyTwice('{refresh}'), ...each('garbage', '{refresh}x', 'x{refresh}', '{code}')],
  scope: [
    [''],
    ['patient/*.read', 'patient/*.read'],
    ...each(
      'patient/*.read',
      'offline_access',
      'patient/*.read offline_access',
      'patient/*.read unheard_of',
      'patient/*.write',
      'patient/*.read  offline_access',
    ),
  ],
  resource: CODE_GRANT_ALPHABET['resource'] ?? [],
  code: each('garbage'),
  unheard_of: [['1'], ['1', '2']],
};

const single = (alphabet: typeof AUTHORIZE_ALPHABET): Mutation[] =>
  Object.entries(alphabet).flatMap(([name, choices]) => choices.map((values) => ({ name, values })));

/** Two or three parameters at once; a verifier that only one of the two can accept at all would hide the others' effect. */
const several = (alphabet: typeof AUTHORIZE_ALPHABET): fc.Arbitrary<Mutation[]> =>
  fc.uniqueArray(
    fc.constantFrom(...single(alphabet).filter(({ values }) => !values[0]?.startsWith('{verifier:'))),
    { minLength: 2, maxLength: 3, selector: ({ name }) => name },
  );

const applyMutations = (plain: Parameters, mutations: readonly Mutation[]): Parameters => ({
  ...plain,
  ...Object.fromEntries(mutations.map(({ name, values }) => [name, values])),
});

interface Party {
  target: Target;
  other: string;
  user: User;
  openBrowser(): Browser;
}

const VERIFIER = newVerifier();

function renderRequest(
  { target, other }: Party,
  parameters: Parameters,
  more: Record<string, string> = {},
): string {
  const known: Record<string, string> = {
    client: target.clientId,
    other,
    mcp: `${target.url}/mcp`,
    verifier: VERIFIER,
    challenge: toCodeChallenge(VERIFIER),
    ...more,
  };
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    values.map((value): [string, string] => [
      name,
      value.replaceAll(/\{([\w:]+)\}/g, (all, key) => known[key] ?? all),
    ]),
  );
  return new URLSearchParams(pairs).toString();
}

async function classifyAuthorize(party: Party, parameters: Parameters): Promise<string> {
  const answer = await party.openBrowser().send(`/oauth/authorize?${renderRequest(party, parameters)}`);
  const judged = classifyAuthorizeResponse(answer);
  // Whoever is led back learns who leads them (RFC 9207), in the query of a URI that the client registered.
  if (answer.location !== null && judged.kind === 'redirect-error') {
    const { origin, searchParams } = new URL(answer.location);
    assert.ok(
      [
        new URL(REDIRECT_URI).origin,
        'https://other.example',
        'http://127.0.0.1',
        'http://127.0.0.1:49152',
      ].includes(origin),
      origin,
    );
    if (searchParams.has('error')) assert.equal(searchParams.get('iss'), party.target.url);
  }
  // A page is for people: its error has no place in a comparison.
  return judged.kind === 'redirect-error' ? `redirect ${judged.error}` : judged.kind;
}

/** What a token request is answered with, and what the request without fault is answered with after it. */
async function classifyToken(party: Party, plain: Parameters, parameters: Parameters): Promise<string> {
  const verifier = chooseVerifier(parameters);
  const { code } = await obtainCode(
    party.user,
    party.target,
    buildAuthorizeParameters(party.target, verifier),
  );
  const more: Record<string, string> = { code, verifier, [`verifier:${verifier.length}`]: verifier };
  if (plain === REFRESH) {
    const tokens = await exchangeCode(party.user, party.target, { code, verifier: VERIFIER });
    more['refresh'] = tokens.refresh_token;
  }
  const send = async (parameters: Parameters): Promise<string> => {
    const form = renderRequest(party, parameters, more);
    const judged = classifyTokenResponse(await party.user.browser.send('/oauth/token', { form }));
    return judged.kind === 'ok' ? 'ok' : judged.error;
  };
  const judged = await send(parameters);
  return `${judged}, then ${await send(plain)}`;
}

/** Of the length that a parameter says, or the usual one. */
function chooseVerifier(parameters: Parameters): string {
  const [, length] = /^\{verifier:(\d+)\}$/.exec(parameters['code_verifier']?.[0] ?? '') ?? [];
  return length === undefined ? VERIFIER : VERIFIER.repeat(6).slice(0, Number(length));
}

interface Deviation {
  why: string;
  when(parameters: Parameters): boolean;
  ours: string;
  theirs: string;
}

const getFirst = (parameters: Parameters, name: string): string => parameters[name]?.[0] ?? '';
const countValues = (parameters: Parameters, name: string): number => parameters[name]?.length ?? 0;
const isOneOf =
  (name: string, ...values: string[]) =>
  (parameters: Parameters): boolean =>
    countValues(parameters, name) === 1 && values.includes(getFirst(parameters, name));
const isTwice =
  (...names: string[]) =>
  (parameters: Parameters): boolean =>
    names.some((name) => countValues(parameters, name) > 1);
const isPresent =
  (...names: string[]) =>
  (parameters: Parameters): boolean =>
    names.some((name) => getFirst(parameters, name) !== '');

const MISWRITTEN_SCOPES = ['patient/*.read  offline_access', ' patient/*.read', 'patient/*.read "quoted"'];

const AUTHORIZE_DEVIATIONS: readonly Deviation[] = [
  {
    why: 'Request objects are refused by one name, whether they are sent or pointed to.',
    when: isPresent('request_uri'),
    ours: 'redirect request_not_supported',
    theirs: 'redirect request_uri_not_supported',
  },
  {
    why: 'A parameter that comes twice leads nobody anywhere, since two parties may have written it (RFC 6749 §3.1 leaves open how it is refused).',
    when: isTwice(...Object.keys(AUTHORIZE), 'response_mode'),
    ours: 'page-error',
    theirs: 'redirect invalid_request',
  },
  {
    why: 'response_type is code, not a list that holds it.',
    when: isOneOf('response_type', 'code code'),
    ours: 'redirect unsupported_response_type',
    theirs: 'interaction',
  },
  {
    why: 'A grant that permits no reading is of no use: the patient is not asked for it.',
    when: isOneOf('scope', 'offline_access', 'unheard_of', 'patient/*.write'),
    ours: 'redirect invalid_scope',
    theirs: 'interaction',
  },
  {
    why: 'Of a scope that is miswritten, the names that we know are taken.',
    when: isOneOf('scope', ...MISWRITTEN_SCOPES),
    ours: 'interaction',
    theirs: 'redirect invalid_scope',
  },
  {
    why: 'A state of more than 4096 characters could not be led back through the URL.',
    when: (parameters) => getFirst(parameters, 'state').length > 4096,
    ours: 'redirect invalid_request',
    theirs: 'interaction',
  },
  {
    why: 'With S256 as the only method a challenge has 43 characters of base64url (RFC 7636 §4.2); theirs allows what a verifier may be.',
    when: isOneOf('code_challenge', 'x'.repeat(44), 'x'.repeat(128), `${'x'.repeat(42)}~`),
    ours: 'redirect invalid_request',
    theirs: 'interaction',
  },
  {
    why: 'A token is for one resource (RFC 8707).',
    when: isTwice('resource'),
    ours: 'redirect invalid_target',
    theirs: 'interaction',
  },
  {
    why: 'A last slash does not make another resource: clients add it when they parse the URL.',
    when: isOneOf('resource', '{mcp}/'),
    ours: 'interaction',
    theirs: 'redirect invalid_target',
  },
  {
    why: 'prompt is ignored: the patient is always asked, so that none never yields a silent code.',
    when: isOneOf('prompt', 'none'),
    ours: 'interaction',
    theirs: 'redirect login_required',
  },
  {
    why: 'prompt is ignored, whatever it says.',
    when: isPresent('prompt'),
    ours: 'interaction',
    theirs: 'redirect invalid_request',
  },
  {
    why: 'A code goes into the query and nowhere else.',
    when: isOneOf('response_mode', 'fragment', 'form_post'),
    ours: 'redirect invalid_request',
    theirs: 'interaction',
  },
  {
    why: 'unsupported_response_mode is an error of JARM, which we do not speak.',
    when: isOneOf('response_mode', 'web_message', 'unheard_of'),
    ours: 'redirect invalid_request',
    theirs: 'redirect unsupported_response_mode',
  },
  {
    why: 'Parameters of OpenID Connect are unknown ones here, and unknown ones are ignored (RFC 6749 §3.1).',
    when: isPresent('nonce', 'max_age'),
    ours: 'interaction',
    theirs: 'redirect invalid_request',
  },
  {
    why: 'Self-issued registration is an unknown parameter too.',
    when: isPresent('registration'),
    ours: 'interaction',
    theirs: 'redirect registration_not_supported',
  },
];

const SAME_RESOURCE: Deviation = {
  why: 'A last slash does not make another resource: clients add it when they parse the URL.',
  when: isOneOf('resource', '{mcp}/'),
  ours: 'ok, then invalid_grant',
  theirs: 'invalid_target, then invalid_grant',
};

const NOT_BURNED: Deviation = {
  why: 'A resource is checked before the code or the refresh token is used up, so that a mistake costs nothing.',
  when: isPresent('resource'),
  ours: 'invalid_target, then ok',
  theirs: 'invalid_target, then invalid_grant',
};

const ONCE: Deviation = {
  why: 'No parameter may come twice (RFC 6749 §3.2), not even one that this grant type does not need.',
  when: isTwice('resource', 'scope'),
  ours: 'invalid_request, then ok',
  theirs: 'ok, then invalid_grant',
};

const CODE_GRANT_DEVIATIONS: readonly Deviation[] = [
  SAME_RESOURCE,
  NOT_BURNED,
  ONCE,
  {
    why: 'A verifier that is missing is a malformed request, not a wrong grant.',
    when: (parameters) => getFirst(parameters, 'code_verifier') === '',
    ours: 'invalid_request, then ok',
    theirs: 'invalid_grant, then ok',
  },
  {
    why: 'A verifier that cannot be right is wrong: one error for every verifier that does not fit.',
    when: isOneOf('code_verifier', 'x'.repeat(42), 'x'.repeat(129), 'x'.repeat(257), `${'x'.repeat(43)}!`),
    ours: 'invalid_grant, then ok',
    theirs: 'invalid_request, then ok',
  },
  {
    why: 'The documented procedure makes verifiers of 171 characters; RFC 7636 §4.1 allows 128.',
    when: isOneOf('code_verifier', '{verifier:129}', '{verifier:171}', '{verifier:256}'),
    ours: 'ok, then invalid_grant',
    theirs: 'invalid_request, then invalid_request',
  },
  {
    why: 'The same, over our own limit.',
    when: isOneOf('code_verifier', '{verifier:257}'),
    ours: 'invalid_grant, then invalid_grant',
    theirs: 'invalid_request, then invalid_request',
  },
];

const REFRESH_DEVIATIONS: readonly Deviation[] = [
  SAME_RESOURCE,
  NOT_BURNED,
  ONCE,
  {
    why: 'Of a scope that is miswritten, the names are taken.',
    when: isOneOf('scope', ...MISWRITTEN_SCOPES),
    ours: 'ok, then invalid_grant',
    theirs: 'invalid_scope, then ok',
  },
  {
    why: 'A token that permits no reading is of no use, after a refresh as before it.',
    when: isOneOf('scope', 'offline_access'),
    ours: 'invalid_scope, then ok',
    theirs: 'ok, then invalid_grant',
  },
];

/** Accepted or refused, and whether by page or by redirect; of two faults each server may name another. */
const getKind = (judged: string): string =>
  judged
    .split(', then ')
    .map((part) =>
      /^(ok|interaction|page-error)$/.test(part) ? part : part.replace(/ .*|^[a-z_]+$/, 'error'),
    )
    .join();

class Ledger {
  readonly #met = new Set<Deviation>();
  readonly #deviations: readonly Deviation[];

  constructor(deviations: readonly Deviation[]) {
    this.#deviations = deviations;
  }

  /** Equal, or a deviation that we know of; of single faults the error codes are compared as well. */
  check(
    parameters: Parameters,
    answers: { ours: string; theirs: string },
    view: (judged: string) => string,
  ): void {
    const [ours, theirs] = [view(answers.ours), view(answers.theirs)];
    if (ours === theirs) return;
    const known = this.#deviations.find(
      (deviation) =>
        deviation.when(parameters) && view(deviation.ours) === ours && view(deviation.theirs) === theirs,
    );
    if (!known) assert.fail(`${JSON.stringify(parameters)}: ours ${answers.ours}; theirs ${answers.theirs}`);
    this.#met.add(known);
  }

  unmet(): string[] {
    return this.#deviations.filter((deviation) => !this.#met.has(deviation)).map(({ why }) => why);
  }
}

let service: TestService;
let oracle: Oracle;
let ours: Party;
let theirs: Party;
const agent = new http.Agent({ keepAlive: true });

before(async () => {
  service = await startTestService({ environment: { CHARTGATE_OAUTH_RATE_LIMIT: '100000000' } });
  oracle = await startOracle({ redirectUris: [REDIRECT_URI, LOOPBACK] });
  const patient = await newTestPatient(service, { consent: false });
  const newBrowser = (url: string) => () => createBrowser(url, () => agent);
  const createParty = async (url: string, { completePath, clientId, person }: PartyPlan): Promise<Party> => ({
    target: {
      url,
      clientId: clientId ?? (await registerClient(newBrowser(url)(), [REDIRECT_URI, LOOPBACK])),
      redirectUri: REDIRECT_URI,
      completePath,
    },
    other: await registerClient(newBrowser(url)(), ['https://other.example/callback']),
    user: await createUser(newBrowser(url)(), person),
    openBrowser: newBrowser(url),
  });
  ours = await createParty(service.baseUrl, { completePath: '/oauth/complete/', person: patient });
  theirs = await createParty(oracle.url, { completePath: '/oauth/authorize/', clientId: oracle.clientId });
});

interface PartyPlan {
  completePath: string;
  /** Registered already. */
  clientId?: string;
  person?: Person;
}

after(async () => {
  agent.destroy();
  await oracle.stop();
  await service.stop();
});

interface Endpoint {
  name: string;
  plain: Parameters;
  alphabet: typeof AUTHORIZE_ALPHABET;
  deviations: readonly Deviation[];
  numRuns: number;
  ask(party: Party, parameters: Parameters): Promise<string>;
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'authorization requests',
    plain: AUTHORIZE,
    alphabet: AUTHORIZE_ALPHABET,
    deviations: AUTHORIZE_DEVIATIONS,
    numRuns: isLong ? 400 : 150,
    ask: classifyAuthorize,
  },
  {
    name: 'code exchanges',
    plain: CODE_GRANT,
    alphabet: CODE_GRANT_ALPHABET,
    deviations: CODE_GRANT_DEVIATIONS,
    numRuns: isLong ? 80 : 40,
    ask: (party, parameters) => classifyToken(party, CODE_GRANT, parameters),
  },
  {
    name: 'refreshes',
    plain: REFRESH,
    alphabet: REFRESH_ALPHABET,
    deviations: REFRESH_DEVIATIONS,
    numRuns: isLong ? 80 : 40,
    ask: (party, parameters) => classifyToken(party, REFRESH, parameters),
  },
];

for (const { name, plain, alphabet, deviations, numRuns, ask } of ENDPOINTS) {
  describe(`${name}, answered by us and by oidc-provider`, () => {
    const ledger = new Ledger(deviations);
    const runBoth = async (parameters: Parameters) => ({
      ours: await ask(ours, parameters),
      theirs: await ask(theirs, parameters),
    });

    it('are accepted without a fault', async () => {
      const answers = await runBoth(plain);
      assert.equal(answers.ours, answers.theirs);
      assert.match(answers.ours, /^(interaction|ok, then invalid_grant)$/);
    });

    it('are refused alike, with the same error, for each single fault', async () => {
      const faults: string[] = [];
      for (const mutation of single(alphabet)) {
        const parameters = applyMutations(plain, [mutation]);
        try {
          ledger.check(parameters, await runBoth(parameters), (judged) => judged);
        } catch (error) {
          faults.push(
            `${mutation.name}=${JSON.stringify(mutation.values)}`.slice(0, 120) +
              ` ${(error as Error).message.replace(/^.*: ours/s, 'ours')}`,
          );
        }
      }
      assert.deepEqual(faults, []);
    });

    it('are refused alike for several faults at once', async () => {
      await fc.assert(
        fc.asyncProperty(several(alphabet), async (mutations) => {
          const parameters = applyMutations(plain, mutations);
          ledger.check(parameters, await runBoth(parameters), getKind);
        }),
        { numRuns },
      );
    });

    it('have no deviation listed that does not happen', () => assert.deepEqual(ledger.unmet(), []));
  });
}
