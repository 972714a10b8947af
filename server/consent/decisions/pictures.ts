import { createHash } from 'node:crypto';
import type { PatientId } from '../../../contract/brands.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { deriveObjectId } from '../../platform/objects/refer-to-objects.ts';

/** A picture as it is kept: in its row, or as an object. */
export interface KeptPicture {
  sha256: Buffer;
  /** null: it is an object. */
  bytes: Buffer | null;
}

export const derivePictureId = (patientId: PatientId, sha256: Buffer): string =>
  deriveObjectId(patientId, 'picture', sha256);

/** Lists the objects among pictures. */
export const listPictureIds = (patientId: PatientId, pictures: readonly KeptPicture[]): string[] =>
  pictures.filter(({ bytes }) => bytes === null).map(({ sha256 }) => derivePictureId(patientId, sha256));

/** Reads a picture from where it is, and compares an object with the hash that the receipt names. */
export async function readPicture(
  objects: Objects,
  patientId: PatientId,
  { sha256, bytes }: KeptPicture,
): Promise<Buffer> {
  if (bytes !== null) return bytes;
  const object = await objects.find(patientId, derivePictureId(patientId, sha256));
  if (!object) throw new Error('the picture is in no store');
  const read = await objects.readBytes(object);
  if (!createHash('sha256').update(read).digest().equals(sha256))
    throw new Error('the picture in the object store is another one');
  return read;
}
