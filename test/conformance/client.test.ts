import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  Client,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type ClientOptions,
} from '@modelcontextprotocol/client';
import {
  decide,
  newTestPatient,
  generateRecordArchive,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { SPECIFIED_TOOLS } from '../mcp/specified-tools.ts';

let service: TestService;
let patient: TestPatient;
before(async () => {
  service = await startTestService();
  patient = await newTestPatient(service);
  const archive = await generateRecordArchive({ years: 2 });
  await upload(service, patient, archive);
  fs.rmSync(path.dirname(archive), { recursive: true });
});
after(() => service.stop());

const ERAS = {
  'of 2025': { mode: 'legacy' },
  'that negotiates': { mode: 'auto' },
  'pinned to 2026-07-28': { mode: { pin: '2026-07-28' } },
} as const satisfies Record<string, ClientOptions['versionNegotiation']>;

/** A connected client, closed when the block ends. */
async function connectClient(
  token: string,
  versionNegotiation: ClientOptions['versionNegotiation'] = {},
): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'chartgate-test', version: '1.0.0' }, { versionNegotiation });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit: { headers } }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

for (const [era, negotiation] of Object.entries(ERAS)) {
  describe(`the official client ${era}`, () => {
    it('connects, reads the server info, and calls every listed tool', async () => {
      await using client = await connectClient(patient.token, negotiation);
      assert.equal(client.getServerVersion()?.name, 'chartgate');
      assert.deepEqual(client.getServerCapabilities(), { tools: {} });
      const { tools } = await client.listTools();
      assert.equal(tools.length, SPECIFIED_TOOLS.length);
      for (const { name } of tools) {
        const specified = SPECIFIED_TOOLS.find((tool) => tool.name === name);
        const { content, isError } = await client.callTool({ name, arguments: specified?.example ?? {} });
        const [first] = content;
        assert.equal(isError ?? false, false, name);
        assert.ok(first?.type === 'text' && first.text.length > 20, name);
      }
    });

    it('distinguishes invalid arguments and unknown tools from success', async () => {
      await using client = await connectClient(patient.token, negotiation);
      const refused = (pattern: RegExp) => (error: unknown) =>
        error instanceof ProtocolError && error.code === -32602 && pattern.test(error.message);
      const { isError, content } = await client.callTool({
        name: 'get_labs',
        arguments: { years: 'three' },
      });
      assert.equal(isError, true);
      assert.match(content[0]?.type === 'text' ? content[0].text : '', /years must be a number/);
      await assert.rejects(
        client.callTool({ name: 'get_everything', arguments: {} }),
        refused(/get_health_summary/),
      );
    });

    it('reports the error of a withdrawn consent', async () => {
      const other = await newTestPatient(service);
      await using client = await connectClient(other.token, negotiation);
      await client.callTool({ name: 'get_labs', arguments: {} });
      await decide(service, other, 'OPTED_OUT');
      await assert.rejects(
        client.callTool({ name: 'get_labs', arguments: {} }),
        (error: unknown) =>
          error instanceof SdkHttpError &&
          error.status === 403 &&
          error.message.includes('Data Access is revoked!'),
      );
    });

    it('fails to connect without a valid token', async () => {
      await assert.rejects(
        connectClient('garbage', negotiation),
        (error: unknown) =>
          error instanceof UnauthorizedError || (error instanceof SdkHttpError && error.status === 401),
      );
    });
  });
}
