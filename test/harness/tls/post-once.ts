import { createPooledClient } from '../../../server/platform/outbound/outbound-client.ts';

/** POSTs to an address of the own network, trusting the authorities of NODE_EXTRA_CA_CERTS, and prints the status. */
const outbound = createPooledClient();
const [, , url = ''] = process.argv;
const request = {
  method: 'POST',
  url,
  body: '{}',
  allowPrivate: true,
  timeoutMs: 60_000,
  maxBytes: 0,
} as const;
console.log((await outbound.request(request)).status);
await outbound.close();
