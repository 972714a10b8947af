import type { Interaction } from '../../../../contract/oauth/interaction.ts';
import type { PatientId, ProjectId } from '../../../../contract/brands.ts';

/** Where a patient's record is fetched from once they consented. */
export interface RecordSource {
  /** What the patient reads while it is fetched. */
  name: string;
  /** Resolves when what is there is stored; rejects when the source cannot be reached. Repeatable. */
  fetch(signal: AbortSignal): Promise<void>;
}

/** What a record waits for before its reader is let in. */
export interface RecordSources {
  /** Uploads of the patient that are still being read. */
  hasUploadsInFlight(patientId: PatientId): Promise<boolean>;
  /** Servers that a consent to the project lets the patient's record be fetched from. */
  listConnected(patientId: PatientId, projectId: ProjectId): Promise<RecordSource[]>;
}

/** As the patient's page is told. */
export type SourceProgress = Interaction['progress'][number];

/** The name under which the patient's own uploads stand among the sources. */
export const UPLOADS = 'uploads';
