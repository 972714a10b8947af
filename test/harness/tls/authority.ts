import net from 'node:net';
import { generate } from 'selfsigned';

/** A certificate and its key, PEM. */
export interface Identity {
  cert: string;
  key: string;
}

export interface Authority extends Identity {
  /** For names and addresses; a year from now unless said. */
  issue(hosts: readonly string[], validity?: { from: Date; until: Date }): Promise<Identity>;
}

/** A certificate authority of a test's own: nobody trusts it who is not given its certificate. */
export async function createTestAuthority(name = 'Test authority'): Promise<Authority> {
  const own = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const ca = { cert: own.cert, key: own.private };
  return {
    ...ca,
    async issue(hosts, validity) {
      const issued = await generate([{ name: 'commonName', value: hosts[0] ?? '' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        ca,
        extensions: [
          { name: 'subjectAltName', altNames: hosts.map(toAltName) },
          { name: 'extKeyUsage', serverAuth: true },
        ],
        ...(validity && { notBeforeDate: validity.from, notAfterDate: validity.until }),
      });
      return { cert: issued.cert, key: issued.private };
    },
  };
}

const toAltName = (host: string): { type: 2; value: string } | { type: 7; ip: string } =>
  net.isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host };
