/** The whole upload is refused; nothing of it may be stored. `message` may be shown to whoever uploaded it. */
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
 * What zlib and yauzl throw about content becomes `damaged`; a failing disk stays itself, because the job that
 * reads must be tried again then, and must not tell the patient that the file is broken.
 */
export function toMemberError(error: Error): Error {
  return error instanceof MemberError || 'syscall' in error ? error : new MemberError('damaged');
}
