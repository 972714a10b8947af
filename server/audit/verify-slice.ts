import type { VerifyingKeys } from '../auth/verifying-keys.ts';
import { readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { entryHash } from './entry-hash.ts';
import { entryFault, type Fault } from './fault.ts';
import { rootOf } from './merkle-tree.ts';
import { SliceLine } from './slice.ts';

/** What is wrong with a slice: an entry's fault, or a line that is not what the format says. */
export type SliceFault = Fault | { what: 'format'; detail: string };

export interface VerifiedSlice {
  /** As its checkpoints are signed; null where there is none, since the header proves nothing. */
  issuer: string | null;
  patientId: string | null;
  /** Proven to be in a signed block. */
  proven: number;
  /** Exported before they were sealed, so not proven. */
  unsealed: number;
  organizations: number;
  /** The first, with its line from 1. */
  fault: (SliceFault & { line: number }) | null;
}

interface State extends VerifiedSlice {
  began: boolean;
  ended: boolean;
  lastEntry: string;
  /** Of each organization, the checkpoint told last. */
  checkpoints: Map<string, Checkpoint>;
}

type LineOf<Kind extends SliceLine['kind']> = Extract<SliceLine, { kind: Kind }>;

/** Checks an exported slice, line by line, by nothing but the keys. */
export async function verifySlice(lines: AsyncIterable<string>, keys: VerifyingKeys): Promise<VerifiedSlice> {
  const state: State = {
    issuer: null,
    patientId: null,
    proven: 0,
    unsealed: 0,
    organizations: 0,
    fault: null,
    began: false,
    ended: false,
    lastEntry: '',
    checkpoints: new Map(),
  };
  let line = 0;
  for await (const text of lines) {
    line++;
    const fault = await lineFault(state, keys, text);
    if (fault) return told(state, { ...fault, line });
  }
  const cut = state.ended ? null : { ...format('the file ends before its last line'), line: line + 1 };
  return told(state, cut);
}

const told = (
  { issuer, patientId, proven, unsealed, checkpoints }: State,
  fault: VerifiedSlice['fault'],
): VerifiedSlice => ({ issuer, patientId, proven, unsealed, organizations: checkpoints.size, fault });

const format = (detail: string): { what: 'format'; detail: string } => ({ what: 'format', detail });

async function lineFault(state: State, keys: VerifyingKeys, text: string): Promise<SliceFault | null> {
  const read = SliceLine.safeParse(parsed(text));
  if (!read.success) return format('is no line of an exported slice');
  const line = read.data;
  if (state.began !== (line.kind !== 'header') || state.ended) return format(`${line.kind} is out of place`);
  switch (line.kind) {
    case 'header':
      Object.assign(state, { began: true, patientId: line.patientId });
      return null;
    case 'checkpoint':
      return checkpointFault(state, keys, line);
    case 'entry':
      return sliceEntryFault(state, line);
    case 'end':
    default:
      state.ended = true;
      return line.entries === state.proven + state.unsealed
        ? null
        : format(`there should be ${line.entries} entries`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function checkpointFault(
  state: State,
  keys: VerifyingKeys,
  line: LineOf<'checkpoint'>,
): Promise<SliceFault | null> {
  const checkpoint = await readCheckpoint(line.checkpoint, keys);
  if (!checkpoint) return format('the checkpoint is not signed by one of the keys');
  state.checkpoints.set(checkpoint.organizationId, checkpoint);
  state.issuer = checkpoint.iss;
  return null;
}

function sliceEntryFault(state: State, { entry, proof }: LineOf<'entry'>): SliceFault | null {
  const at = { ...entry, ...proof };
  if (entry.patient_id !== state.patientId) return entryFault('extra', at, 'is about another patient');
  if (entry.entry_id <= state.lastEntry) return entryFault('order', at, 'does not follow the entry before');
  state.lastEntry = entry.entry_id;
  if (!proof) {
    state.unsealed++;
    return null;
  }
  const checkpoint = state.checkpoints.get(entry.organization_id);
  if (checkpoint?.block !== proof.block) return entryFault('missing', at, 'its checkpoint is not there');
  const path = proof.path.map((node) => Buffer.from(node, 'base64url'));
  const root = rootOf({ leaf: entryHash(entry), place: proof.place, size: checkpoint.entries, path });
  if (root?.toString('base64url') !== checkpoint.root)
    return entryFault('content', at, 'is not what was sealed at this place');
  state.proven++;
  return null;
}
