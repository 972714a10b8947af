import type { z } from 'zod';
import type { createSource, Source } from '../../../../contract/organization/sources.ts';

export type SourceInput = z.input<(typeof createSource)['body']>;
type SignIn = Source['authentication']['type'];
type MatchingBy = Source['matching']['by'];

export interface Choices {
  signIn: SignIn;
  by: MatchingBy;
  requireEmail: boolean;
  /** null: all projects. */
  projectIds: readonly string[] | null;
  servesTestPatients: boolean;
}

export type Name = 'name' | 'baseUrl' | 'clientId' | 'tokenEndpoint' | 'scope' | 'secret' | 'system';
export type Texts = Record<Name, string>;

const NO_TEXTS: Texts = {
  name: '',
  baseUrl: '',
  clientId: '',
  tokenEndpoint: '',
  scope: '',
  secret: '',
  system: '',
};

export function readChoices(source: Source | undefined): Choices {
  const { matching } = source ?? {};
  return {
    signIn: source?.authentication.type ?? 'smart_backend_services',
    by: matching?.by ?? 'identifier',
    requireEmail: matching !== undefined && 'requireEmail' in matching ? matching.requireEmail : true,
    projectIds: source?.projectIds ?? null,
    servesTestPatients: source?.servesTestPatients ?? false,
  };
}

export function readTexts(source: Source | undefined): Partial<Texts> {
  const { authentication, matching } = source ?? {};
  const isSmart = authentication?.type === 'smart_backend_services';
  return {
    name: source?.name ?? '',
    baseUrl: source?.baseUrl ?? 'https://',
    clientId: isSmart ? authentication.clientId : '',
    tokenEndpoint: (isSmart && authentication.tokenEndpoint) || '',
    scope: (isSmart && authentication.scope) || '',
    system: matching !== undefined && 'system' in matching ? matching.system : '',
  };
}

export const needsSystem = (by: MatchingBy): boolean =>
  by === 'identifier' || by === 'identifier_then_demographics';

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Builds what the form says. */
export function buildInput(texts: Texts, choices: Choices): Partial<SourceInput> {
  const { signIn, by, requireEmail, projectIds, servesTestPatients } = choices;
  const authentication =
    signIn === 'smart_backend_services'
      ? {
          type: signIn,
          clientId: texts.clientId.trim(),
          tokenEndpoint: orNull(texts.tokenEndpoint),
          scope: orNull(texts.scope),
        }
      : signIn === 'none'
        ? { type: signIn }
        : texts.secret.trim() === ''
          ? undefined
          : { type: signIn, secret: texts.secret.trim() };
  return {
    name: texts.name.trim(),
    ...(authentication !== undefined && { authentication }),
    baseUrl: texts.baseUrl.trim(),
    matching: {
      by,
      ...(needsSystem(by) && { system: texts.system.trim() }),
      ...((by === 'demographics' || by === 'identifier_then_demographics') && { requireEmail }),
    } as SourceInput['matching'],
    projectIds: projectIds as SourceInput['projectIds'],
    servesTestPatients,
  };
}

/** What the form would send as it is filled. */
export const readInput = (source: Source): Partial<SourceInput> =>
  buildInput({ ...NO_TEXTS, ...readTexts(source) }, readChoices(source));
