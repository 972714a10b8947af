import type { SourceMatching } from '../../../contract/organization/sources.ts';
import type { Capabilities } from './capabilities.ts';
import type { Demographics } from './demographic-match.ts';
import type { FhirClient } from './fhir-client.ts';
import type { JsonObject } from './json.ts';
import type { OutcomeCode } from './source-fault.ts';

/** A patient as a server knows them. */
export interface MatchedPatient {
  type: 'Patient' | 'Person';
  id: string;
  /** Their other ids at the server. */
  aliases: string[];
  /** The Patient or Person. */
  resource: JsonObject;
  /** The Patient as the server sent it; absent for a Person. */
  bytes?: Buffer;
}

export type MatchResult =
  | MatchedPatient
  | { state: 'no_match' | 'ambiguous_match' | 'needs_organization_review'; code: OutcomeCode };

export interface MatchQuery {
  demographics: Demographics;
  /** The external ids of the organization's enrollments, each once. */
  externalIds: readonly string[];
  isTestPatient: boolean;
  matching: SourceMatching;
}

export interface MatchContext {
  client: FhirClient;
  capabilities: Capabilities;
  maxBytes: number;
}
