import fs from 'node:fs/promises';
import path from 'node:path';
import { domainToASCII } from 'node:url';

const DAY_MS = 24 * 3_600_000;

/** How long a mail stays as a file: longer than any link in one works. */
export const OUTBOX_DAYS = 30;

/** Names a mail by the time that it was written at. */
export const nameMailFile = (now: Date, id: string): string =>
  `${now.toISOString().replaceAll(':', '')}-${id}`;

const NAME = /^(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d\.\d{3}Z)-[0-9a-f-]{36}\.(eml|part)$/;

interface MailFile {
  file: string;
  writtenAt: number;
}

/** Deletes the mails that were written too long ago; a node has its own. What others have put into the folder stays. */
export async function purgeOutbox(outbox: string, now: Date): Promise<void> {
  for (const { file, writtenAt } of await listMails(outbox))
    if (now.getTime() - writtenAt > OUTBOX_DAYS * DAY_MS) await fs.rm(file, { force: true });
}

/** Deletes the mails to an address. */
export async function deleteMailsTo(outbox: string, address: string): Promise<void> {
  for (const { file } of await listMails(outbox))
    if ((await readAddressee(file)) === normalize(address)) await fs.rm(file, { force: true });
}

async function listMails(outbox: string): Promise<MailFile[]> {
  const names = await fs.readdir(outbox).catch(() => []);
  return names.flatMap((name) => {
    const [, hour, minute, second] = NAME.exec(name) ?? [];
    if (hour === undefined) return [];
    return { file: path.join(outbox, name), writtenAt: Date.parse(`${hour}:${minute}:${second}`) };
  });
}

/** More than the headers of a mail of ours have. */
const MAX_HEADER_BYTES = 8192;

async function readAddressee(file: string): Promise<string | null> {
  const handle = await fs.open(file).catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0);
    const [header = ''] = buffer.toString('utf8', 0, bytesRead).split('\r\n\r\n', 1);
    const [, to] = /^to:[ \t]*(.*)$/im.exec(header.replaceAll(/\r\n[ \t]+/g, ' ')) ?? [];
    return to === undefined ? null : normalize(/<([^<>]*)>\s*$/.exec(to)?.[1] ?? to);
  } finally {
    await handle.close();
  }
}

/** A header may have the name of the host in the letters of its punycode. */
function normalize(address: string): string {
  const trimmed = address.trim().toLowerCase();
  const at = trimmed.lastIndexOf('@');
  return `${trimmed.slice(0, at)}@${domainToASCII(trimmed.slice(at + 1))}`;
}
