import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type ClientOptions,
  type FetchLike,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';

type Connected = Client & AsyncDisposable;

/** A program that knows the URL of an MCP server and nothing else; the official client does the rest. */
export interface McpAgent {
  /** Throws what the client throws; asks the patient at most once. */
  connect(url: string, versionNegotiation?: ClientOptions['versionNegotiation']): Promise<Connected>;
  /** What the client keeps. */
  readonly kept: Kept;
  /** Every request since the last call, as `GET /path 200`, but for the stream that clients of 2025 try to open. */
  requests(): string[];
  /** What the client reports of faults, those it recovers from among them. */
  readonly faults: Error[];
}

interface Kept {
  client?: StoredOAuthClientInformation | undefined;
  tokens?: StoredOAuthTokens | undefined;
  verifier?: string | undefined;
  discovery?: OAuthDiscoveryState | undefined;
  /** The last authorization URL. */
  asked?: URL;
}

export interface AgentOptions {
  /** Opens an authorization URL in a browser; answers where that was led back to. */
  open(authorizationUrl: URL): Promise<URL>;
  redirectUrl?: string;
  /** What it says of itself; the redirect URI above unless named here. */
  metadata?: Partial<OAuthClientMetadata>;
  clientMetadataUrl?: string;
  fetch?: FetchLike;
}

export function mcpAgent(options: AgentOptions): McpAgent {
  const kept: Kept = {};
  const log: string[] = [];
  const faults: Error[] = [];
  const logged: FetchLike = async (url, init) => {
    const answer = await (options.fetch ?? fetch)(url, init);
    const isStream = new Headers(init?.headers).get('accept') === 'text/event-stream';
    if (!isStream) log.push(`${init?.method ?? 'GET'} ${new URL(url).pathname} ${answer.status}`);
    return answer;
  };
  let ledBack: URL | undefined;
  const authProvider = provider(options, kept, async (url) => {
    kept.asked = url;
    ledBack = await options.open(url);
  });

  const attempt = async (
    url: string,
    versionNegotiation: NonNullable<ClientOptions['versionNegotiation']>,
  ): Promise<{ client: Client; transport: StreamableHTTPClientTransport; refusal: unknown }> => {
    const client = Object.assign(
      new Client({ name: 'chartgate-test', version: '1.0.0' }, { versionNegotiation }),
      {
        onerror: (error: Error) => void faults.push(error),
      },
    );
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider, fetch: logged });
    const refusal = await client.connect(transport).then(
      () => null,
      (error: unknown) => error,
    );
    return { client, transport, refusal };
  };

  return {
    kept,
    faults,
    requests: () => log.splice(0),
    async connect(url, versionNegotiation = {}) {
      ledBack = undefined;
      let { client, transport, refusal } = await attempt(url, versionNegotiation);
      if (refusal instanceof UnauthorizedError && ledBack) {
        await transport.finishAuth((ledBack as URL).searchParams);
        ({ client, refusal } = await attempt(url, versionNegotiation));
      }
      if (refusal !== null) throw refusal;
      return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
    },
  };
}

const REFRESHING = { grant_types: ['authorization_code', 'refresh_token'] };

/** Keeps everything in memory, for one authorization server. */
function provider(
  { redirectUrl = 'http://127.0.0.1/callback', metadata = REFRESHING, clientMetadataUrl }: AgentOptions,
  kept: Kept,
  redirectToAuthorization: (url: URL) => Promise<void>,
): OAuthClientProvider {
  return {
    redirectUrl,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: {
      client_name: 'Test agent',
      redirect_uris: [redirectUrl],
      ...metadata,
    },
    state: () => crypto.randomUUID(),
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization,
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (discovery) => void (kept.discovery = discovery),
    discoveryState: () => kept.discovery,
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') kept.client = undefined;
      if (scope === 'all' || scope === 'tokens') kept.tokens = undefined;
      if (scope === 'all' || scope === 'discovery') kept.discovery = undefined;
    },
  };
}
