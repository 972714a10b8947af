import type { PatientProfile } from './patient-profile.ts';
import type { GeneratedResource, Reference } from './resource.ts';
import { toReference } from './resource-id.ts';
import type { MedicationPlan, Storyline } from './storyline.ts';
import type { Visit } from './visit.ts';

/**
 * What must be remembered from visit to visit. It grows with the number of illnesses, never with that of
 * visits: a record of any length is generated in flat memory.
 */
export interface Chart {
  profile: PatientProfile;
  /** Held back until it is known how they end. */
  openConditions: Map<string, OpenCondition>;
  openMedications: Map<string, OpenMedication>;
  /** The last day on which something that is repeated was done. */
  lastDone: Map<string, number>;
  /** How often something was done that is done a fixed number of times. */
  counts: Map<string, number>;
}

export interface OpenCondition {
  condition: GeneratedResource;
  resolvesOn: number;
  text: string;
}

export interface OpenMedication {
  request: GeneratedResource;
  story: Storyline;
  plan: MedicationPlan;
  /** What its requests' ids are made of, together with the number of renewals. */
  key: string;
  renewals: number;
  renewOn: number;
}

/** Every kind of entry is written by one function of this shape. */
export type ResourceGenerator = (chart: Chart, visit: Visit) => Iterable<GeneratedResource>;

export function createChart(profile: PatientProfile): Chart {
  return {
    profile,
    openConditions: new Map(),
    openMedications: new Map(),
    lastDone: new Map(),
    counts: new Map(),
  };
}

export function getPatientReference(chart: Chart): Reference {
  return toReference(chart.profile.toId('Patient'), `${chart.profile.firstName} ${chart.profile.lastName}`);
}

/** Returns true, and records the day, when it was never done or the last time lies at least `days` back. */
export function markDoneIfDue(chart: Chart, visit: Visit, what: { name: string; days: number }): boolean {
  const last = chart.lastDone.get(what.name);
  if (last !== undefined && visit.day - last < what.days) return false;
  chart.lastDone.set(what.name, visit.day);
  return true;
}
