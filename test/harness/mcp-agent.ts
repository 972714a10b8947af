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

type ConnectedClient = Client & AsyncDisposable;

/** A program that knows the URL of an MCP server and nothing else; the official client does the rest. */
export interface McpAgent {
  /** Throws what the client throws; asks the patient at most once. */
  connect(url: string, versionNegotiation?: ClientOptions['versionNegotiation']): Promise<ConnectedClient>;
  /** What the client keeps. */
  readonly clientState: ClientState;
  /** Every request since the last call, as `GET /path 200`, but for the stream that clients of 2025 try to open. */
  takeRequests(): string[];
  /** What the client reports of faults, those it recovers from among them. */
  readonly faults: Error[];
}

interface ClientState {
  client?: StoredOAuthClientInformation | undefined;
  tokens?: StoredOAuthTokens | undefined;
  verifier?: string | undefined;
  discovery?: OAuthDiscoveryState | undefined;
  /** The last authorization URL. */
  authorizationUrl?: URL;
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

export function createMcpAgent(options: AgentOptions): McpAgent {
  const clientState: ClientState = {};
  const log: string[] = [];
  const faults: Error[] = [];
  const loggingFetch: FetchLike = async (url, init) => {
    const answer = await (options.fetch ?? fetch)(url, init);
    const isStream = new Headers(init?.headers).get('accept') === 'text/event-stream';
    if (!isStream) log.push(`${init?.method ?? 'GET'} ${new URL(url).pathname} ${answer.status}`);
    return answer;
  };
  let callbackUrl: URL | undefined;
  const authProvider = createAuthProvider(options, clientState, async (url) => {
    clientState.authorizationUrl = url;
    callbackUrl = await options.open(url);
  });

  const tryConnect = async (
    url: string,
    versionNegotiation: NonNullable<ClientOptions['versionNegotiation']>,
  ): Promise<{ client: Client; transport: StreamableHTTPClientTransport; refusal: unknown }> => {
    const client = Object.assign(
      new Client({ name: 'chartgate-test', version: '1.0.0' }, { versionNegotiation }),
      {
        onerror: (error: Error) => void faults.push(error),
      },
    );
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider, fetch: loggingFetch });
    const refusal = await client.connect(transport).then(
      () => null,
      (error: unknown) => error,
    );
    return { client, transport, refusal };
  };

  return {
    clientState,
    faults,
    takeRequests: () => log.splice(0),
    async connect(url, versionNegotiation = {}) {
      callbackUrl = undefined;
      let { client, transport, refusal } = await tryConnect(url, versionNegotiation);
      if (refusal instanceof UnauthorizedError && callbackUrl) {
        await transport.finishAuth((callbackUrl as URL).searchParams);
        ({ client, refusal } = await tryConnect(url, versionNegotiation));
      }
      if (refusal !== null) throw refusal;
      return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
    },
  };
}

const REFRESH_METADATA = { grant_types: ['authorization_code', 'refresh_token'] };

/** Keeps everything in memory, for one authorization server. */
function createAuthProvider(
  { redirectUrl = 'http://127.0.0.1/callback', metadata = REFRESH_METADATA, clientMetadataUrl }: AgentOptions,
  clientState: ClientState,
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
    clientInformation: () => clientState.client,
    saveClientInformation: (client) => void (clientState.client = client),
    tokens: () => clientState.tokens,
    saveTokens: (tokens) => void (clientState.tokens = tokens),
    redirectToAuthorization,
    saveCodeVerifier: (verifier) => void (clientState.verifier = verifier),
    codeVerifier: () => clientState.verifier ?? '',
    saveDiscoveryState: (discovery) => void (clientState.discovery = discovery),
    discoveryState: () => clientState.discovery,
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') clientState.client = undefined;
      if (scope === 'all' || scope === 'tokens') clientState.tokens = undefined;
      if (scope === 'all' || scope === 'discovery') clientState.discovery = undefined;
    },
  };
}
