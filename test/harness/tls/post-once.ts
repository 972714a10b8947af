import { createPooledClient } from '../../../server/platform/outbound/outbound-client.ts';

/** POSTs to an address of the own network, by what the process is told to trust, and says the status. */
const egress = createPooledClient();
const [, , url = ''] = process.argv;
const request = {
  method: 'POST',
  url,
  body: '{}',
  allowPrivate: true,
  timeoutMs: 5000,
  maxBytes: 0,
} as const;
console.log((await egress.request(request)).status);
await egress.close();
