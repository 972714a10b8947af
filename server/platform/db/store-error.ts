import { LoggableError } from '../kernel/log-message.ts';
import pg from 'pg';

/** What is known of a change whose statement failed. */
type Outcome = 'unchanged' | 'unknown' | 'full';

/** The store is away or full: nothing is wrong with the request, which may succeed later. */
export class StoreError extends LoggableError {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, cause: unknown) {
    super(MESSAGES[outcome], { cause });
    this.name = 'StoreError';
    this.outcome = outcome;
  }
}

const MESSAGES: Readonly<Record<Outcome, string>> = {
  unchanged: 'the store is away',
  unknown: 'the connection to the store was lost while a change was being stored',
  full: 'the store is full',
};

/** System errors of a connection. */
const CONNECTION_CODES: ReadonlySet<unknown> = new Set(
  `ECONNREFUSED ECONNRESET ECONNABORTED EPIPE EPROTO
  ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH ENETDOWN`.split(/\s+/),
);

/** Codes of Node and OpenSSL for a server whose certificate is not taken. */
const CERTIFICATE_CODES =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|ERR_TLS_)/;

/** What the driver says without a code: it has no classes for these. */
const CONNECTION_MESSAGES =
  /^(Connection terminated|The server does not support SSL|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;

/**
 * SQLSTATEs of a server that is going, coming, or takes no more: shutdowns (57P01 to 57P05), lost connections (class 08), a
 * transaction that was idle for too long, too many connections, and one that takes no writes. And of one that does not let the
 * service in, since a password, a database or a right was changed (class 28, 3D000, 42501): an operator has to.
 */
const AWAY_STATES = /^(57P0[1-5]|08...|25P03|53300|25006|28...|3D000|42501)$/;

/** Those of a statement that was not begun: no connection was left, the server was starting, takes no writes, or refuses. */
const NOT_BEGUN_STATES = /^(53300|57P03|25006|28...|3D000|42501)$/;

/** The same of a connection that was never there. */
const NOT_BEGUN_CODES: ReadonlySet<unknown> = new Set('ECONNREFUSED ENOTFOUND EAI_AGAIN'.split(' '));
const NOT_BEGUN_MESSAGES =
  /^(The server does not support SSL|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** SQLSTATEs of what the server undid, and would do if it were asked again: cancelled or timed out, locked out, in a deadlock. */
const UNDONE_STATES = /^(57014|55P03|40001|40P01)$/;

const READ_ONLY = '25006';
const DISK_FULL = '53100';

/**
 * A server that could not write what a new connection reads its catalog from: its disk is full, and it says neither that nor
 * any other state of its own.
 */
const isFull = ({ code, routine }: pg.DatabaseError): boolean =>
  code === DISK_FULL || (code === 'XX000' && routine === 'write_item');

/** Returns a StoreError for an error of a store that is away or full; any other error as it is. */
export function toStoreError(error: unknown, outcome: 'unchanged' | 'unknown'): unknown {
  if (error instanceof pg.DatabaseError) {
    if (isFull(error)) return new StoreError('full', error);
    const state = error.code ?? '';
    if (!AWAY_STATES.test(state)) return error;
    return new StoreError(NOT_BEGUN_STATES.test(state) ? 'unchanged' : outcome, error);
  }
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  const isOfOpening = syscall === 'connect' || (typeof code === 'string' && CERTIFICATE_CODES.test(code));
  const isConnectionError =
    isOfOpening || CONNECTION_CODES.has(code) || CONNECTION_MESSAGES.test(error.message);
  if (!isConnectionError) return error;
  const isNotBegun = isOfOpening || NOT_BEGUN_CODES.has(code) || NOT_BEGUN_MESSAGES.test(error.message);
  return new StoreError(isNotBegun ? 'unchanged' : outcome, error);
}

/**
 * Whether the session that a statement failed on takes no writes. It began when its server, or its database, took none, and goes on
 * so when they do.
 */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === READ_ONLY;

/** Whether the store undid what it was asked, and the same may succeed later. */
export const isUndone = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && UNDONE_STATES.test(error.code ?? '');

/**
 * Commits. Whatever else ends the wait than an error of the commit itself leaves open whether the server has committed: its
 * answer may be what was lost.
 */
export async function commitOrThrow(commit: () => Promise<{ command: string }>): Promise<void> {
  let command: string;
  try {
    ({ command } = await commit());
  } catch (error) {
    if (error instanceof pg.DatabaseError && !AWAY_STATES.test(error.code ?? '')) throw error;
    throw new StoreError('unknown', error);
  }
  // A statement that failed and was caught has doomed the transaction: "commit" then rolls back without an error.
  if (command !== 'COMMIT')
    throw new Error('the transaction was rolled back: one of its statements had failed');
}

/** Whether the disk of the store, or of the temporary folder, takes no more. */
export const isStoreFull = (error: unknown): boolean =>
  error instanceof StoreError
    ? error.outcome === 'full'
    : error instanceof Error && (error as { code?: unknown }).code === 'ENOSPC';
