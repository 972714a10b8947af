import { ARCHIVE_LIMITS } from './limits.ts';

/** The whole upload is refused; nothing of it may be stored. `message` may be shown to the patient. */
export class ArchiveError extends Error {
  readonly code: string;
  /** The file at which a limit was exceeded; '' where it is no single one. */
  readonly path: string;
  constructor(code: string, message: string, path = '') {
    super(message);
    this.name = 'ArchiveError';
    this.code = code;
    this.path = path;
  }
}

/** One member can't be read, at opening or while its bytes flow; the others can. */
export class MemberError extends Error {
  readonly code: 'damaged' | 'size_mismatch' | 'expands_too_far';
  constructor(code: MemberError['code']) {
    super(MEMBER_MESSAGES[code]);
    this.name = 'MemberError';
    this.code = code;
  }
}

/** Also of a file that only says so. */
export const EXPANDS_TOO_FAR = `The file unpacks to more than ${ARCHIVE_LIMITS.ratio} times its size, or to more than an upload may hold.`;

const MEMBER_MESSAGES = {
  damaged: 'The file is damaged: its bytes do not match what the archive says about them. It was not kept.',
  size_mismatch: 'The file unpacks to another size than the archive declares. It was not kept.',
  expands_too_far: `${EXPANDS_TOO_FAR} It was not kept.`,
};

/**
 * Converts what zlib and yauzl throw about content to `damaged`; an error of the disk stays as it is, because the job must
 * be retried then, and must not report a damaged file to the patient.
 */
export function toMemberError(error: Error): Error {
  return error instanceof MemberError || 'syscall' in error ? error : new MemberError('damaged');
}
