import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SilentProxy {
  /** The database's URL by way of the proxy. */
  url: string;
  /** Passes nothing on any more, as a network that drops packets: connections stay open, also new ones. */
  fallSilent(): void;
  /** Passes on what comes from now on; what came meanwhile is lost with its connection. */
  resume(): void;
  openConnections(): number;
  close(): Promise<void>;
}

/** A TCP proxy in front of a database. */
export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((client) => {
    keep(client);
    if (isSilent) {
      client.resume();
      return;
    }
    const upstream = keep(connect(Number(target.port), target.hostname));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (bytes) => void (isSilent || to.write(bytes)));
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    fallSilent: () => void (isSilent = true),
    resume: () => void (isSilent = false),
    openConnections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
