/** The whole upload is refused; nothing of it may be stored. `message` may be shown to the patient. */
export class ArchiveError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'ArchiveError';
    this.code = code;
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

const MEMBER_MESSAGES = {
  damaged: 'The file is damaged: its bytes do not match what the archive says about them.',
  size_mismatch: 'The file unpacks to more bytes than the archive declares.',
  expands_too_far: 'The file unpacks to more bytes than an upload may hold.',
};

/**
 * Converts what zlib and yauzl throw about content to `damaged`; an error of the disk stays as it is, because the job must
 * be retried then, and must not report a damaged file to the patient.
 */
export function toMemberError(error: Error): Error {
  return error instanceof MemberError || 'syscall' in error ? error : new MemberError('damaged');
}
