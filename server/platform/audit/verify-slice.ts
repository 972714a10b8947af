import type { VerifyingKeys } from '../keys/verifying-keys.ts';
import { readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { hashAuditEntry } from './entry-hash.ts';
import { createEntryFault, type Fault } from './fault.ts';
import { computeRoot } from './merkle-tree.ts';
import { FORMAT, SliceLine } from './slice.ts';

/** A fault of a slice: an entry's fault, or a line that breaks the format. */
export type SliceFault = Fault | { what: 'format'; detail: string };

export interface SliceVerification {
  /** The issuer that the checkpoints name; null without a checkpoint, since the header proves nothing. */
  issuer: string | null;
  /** The patient whose entries they are; null where they are an organization's. */
  patientId: string | null;
  /** The organization whose log was exported; null where it is a patient's slice. */
  organizationId: string | null;
  /** Entries that are proven to be in a signed block. */
  proven: number;
  /** Entries that were exported before they were sealed, so not proven. */
  unsealed: number;
  organizations: number;
  /** The first fault, with its line number from 1. */
  fault: (SliceFault & { line: number }) | null;
}

interface State extends SliceVerification {
  hasBegun: boolean;
  hasEnded: boolean;
  lastEntry: string;
  /** The last checkpoint of each organization. */
  checkpoints: Map<string, Checkpoint>;
}

type LineOf<Kind extends SliceLine['kind']> = Extract<SliceLine, { kind: Kind }>;

/** Verifies an exported slice line by line, with nothing but the keys. */
export async function verifySlice(
  lines: AsyncIterable<string>,
  keys: VerifyingKeys,
): Promise<SliceVerification> {
  const state: State = {
    issuer: null,
    patientId: null,
    organizationId: null,
    proven: 0,
    unsealed: 0,
    organizations: 0,
    fault: null,
    hasBegun: false,
    hasEnded: false,
    lastEntry: '',
    checkpoints: new Map(),
  };
  let line = 0;
  for await (const text of lines) {
    line++;
    const fault = await checkLine(state, keys, text);
    if (fault) return toResult(state, { ...fault, line });
  }
  const endFault = state.hasEnded
    ? null
    : { ...createFormatFault('the file ends before its last line'), line: line + 1 };
  return toResult(state, endFault);
}

const toResult = (
  { issuer, patientId, organizationId, proven, unsealed, checkpoints }: State,
  fault: SliceVerification['fault'],
): SliceVerification => ({
  issuer,
  patientId,
  organizationId,
  proven,
  unsealed,
  organizations: checkpoints.size,
  fault,
});

const createFormatFault = (detail: string): { what: 'format'; detail: string } => ({
  what: 'format',
  detail,
});

async function checkLine(state: State, keys: VerifyingKeys, text: string): Promise<SliceFault | null> {
  const result = SliceLine.safeParse(parseJson(text));
  if (!result.success) return createFormatFault('is no line of an exported slice');
  const line = result.data;
  if (state.hasBegun !== (line.kind !== 'header') || state.hasEnded)
    return createFormatFault(`${line.kind} is out of place`);
  switch (line.kind) {
    case 'header':
      state.hasBegun = true;
      if (line.format === FORMAT) state.patientId = line.patientId;
      else state.organizationId = line.organizationId;
      return null;
    case 'checkpoint':
      return checkCheckpoint(state, keys, line);
    case 'entry':
      return checkEntry(state, line);
    case 'end':
    default:
      state.hasEnded = true;
      return line.entries === state.proven + state.unsealed
        ? null
        : createFormatFault(`there should be ${line.entries} entries`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function checkCheckpoint(
  state: State,
  keys: VerifyingKeys,
  line: LineOf<'checkpoint'>,
): Promise<SliceFault | null> {
  const checkpoint = await readCheckpoint(line.checkpoint, keys);
  if (!checkpoint) return createFormatFault('the checkpoint is not signed by one of the keys');
  state.checkpoints.set(checkpoint.organizationId, checkpoint);
  state.issuer = checkpoint.iss;
  return null;
}

function checkEntry(state: State, { entry, proof }: LineOf<'entry'>): SliceFault | null {
  const at = { ...entry, ...proof };
  if (state.patientId !== null && entry.patient_id !== state.patientId)
    return createEntryFault('extra', at, 'is about another patient');
  if (state.organizationId !== null && entry.organization_id !== state.organizationId)
    return createEntryFault('extra', at, 'is of another organization');
  if (entry.entry_id <= state.lastEntry)
    return createEntryFault('order', at, 'does not follow the entry before');
  state.lastEntry = entry.entry_id;
  if (!proof) {
    state.unsealed++;
    return null;
  }
  const checkpoint = state.checkpoints.get(entry.organization_id);
  if (checkpoint?.block !== proof.block)
    return createEntryFault('missing', at, 'its checkpoint is not there');
  const path = proof.path.map((node) => Buffer.from(node, 'base64url'));
  const root = computeRoot({
    leaf: hashAuditEntry(entry),
    leafIndex: proof.place,
    size: checkpoint.entries,
    path,
  });
  if (root?.toString('base64url') !== checkpoint.root)
    return createEntryFault('content', at, 'is not what was sealed at this place');
  state.proven++;
  return null;
}
