import { pipeline, type Readable, Transform } from 'node:stream';
import type { Coding } from './codings.ts';
import { createDecoder, type Decoder } from './decoders.ts';
import { gunzip } from './gzip-member.ts';
import type { Member } from './member.ts';

/** Returns the same member with its content decoded. */
export const decodeMember = (member: Member, codings: readonly Coding[]): Member => ({
  path: member.path,
  packed: member,
  open: async () => decodeStream(await member.open(), codings),
});

/** Decodes a stream, the first coding first. `onUnpacked` is called with the size of what is inflated. */
export const decodeStream = (
  stream: Readable,
  codings: readonly Coding[],
  onUnpacked?: (bytes: number) => void,
): Readable =>
  codings.reduce<Readable>(
    (from, coding) =>
      coding === 'gzip'
        ? gunzip(from, onUnpacked)
        : pipeline(from, createTransform(createDecoder(coding)), () => {}),
    stream,
  );

const createTransform = (decoder: Decoder): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, decoder.push(chunk));
    },
    flush(done) {
      done(null, decoder.end());
    },
  });
