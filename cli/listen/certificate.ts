import { X509Certificate } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { generate } from 'selfsigned';

export interface Certificate {
  /** PEM texts: key, certificate and authority, as `tls` takes them. */
  key: string;
  chain: string;
  /** The file for `NODE_EXTRA_CA_CERTS`. */
  caFile: string;
}

const DAY_MS = 86_400_000;
const LIFETIME_MS = 365 * DAY_MS;
const RENEW_BEFORE_MS = 7 * DAY_MS;

/**
 * Returns the certificate of this machine's listener, the same at each start; makes one in `folder` when there is none
 * that is valid for another week.
 */
export async function ensureCertificate(folder: string, now: Date): Promise<Certificate> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, 'server.pem');
  let pem = await fs.readFile(file, 'utf8').catch(() => '');
  if (!isUsable(pem, now)) {
    pem = await createCertificate(now);
    await replaceFile(file, pem, 0o600);
  }
  // Derived from the one file that counts, so that two starts at once cannot leave two that do not match.
  const caFile = path.join(folder, 'ca.pem');
  const [, ca = ''] = extractCertificates(pem);
  if ((await fs.readFile(caFile, 'utf8').catch(() => '')) !== `${ca}\n`)
    await replaceFile(caFile, `${ca}\n`, 0o644);
  return { key: extractKey(pem), chain: extractCertificates(pem).join('\n'), caFile };
}

function isUsable(pem: string, now: Date): boolean {
  const certificates = extractCertificates(pem);
  if (certificates.length !== 2 || extractKey(pem) === '') return false;
  try {
    return certificates.every(
      (certificate) =>
        new X509Certificate(certificate).validToDate.getTime() - now.getTime() > RENEW_BEFORE_MS,
    );
  } catch {
    return false;
  }
}

/** The authority's key signs this one certificate and is then discarded: whoever trusts the authority trusts nothing else. */
async function createCertificate(now: Date): Promise<string> {
  const ec = {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // Clocks of virtual machines lag.
    notBeforeDate: new Date(now.getTime() - DAY_MS),
    notAfterDate: new Date(now.getTime() + LIFETIME_MS),
  } as const;
  const authority = await generate([{ name: 'commonName', value: 'chartgate listen, this machine only' }], {
    ...ec,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...ec,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return [server.private, server.cert, authority.cert].map((part) => `${part.trim()}\n`).join('');
}

const extractCertificates = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [];

const extractKey = (pem: string): string =>
  /-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----/.exec(pem)?.[0] ?? '';

async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const temporaryFile = `${file}.${process.pid}`;
  await fs.writeFile(temporaryFile, text, { mode });
  await fs.rename(temporaryFile, file);
}
