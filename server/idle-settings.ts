import type { SETTINGS } from './settings.ts';

type SettingName = keyof typeof SETTINGS;

/** Settings that say how something is used which another one names; the others are refused one without the other. */
const NEEDS: Readonly<Partial<Record<SettingName, SettingName>>> = {
  CHARTGATE_OBJECT_STORE_ACCESS_KEY_ID: 'CHARTGATE_OBJECT_STORE_URL',
  CHARTGATE_OBJECT_STORE_SECRET_ACCESS_KEY: 'CHARTGATE_OBJECT_STORE_URL',
  CHARTGATE_OBJECT_STORE_WRITES: 'CHARTGATE_OBJECT_STORE_URL',
  CHARTGATE_EMBEDDINGS_MODEL: 'CHARTGATE_EMBEDDINGS_URL',
  CHARTGATE_EMBEDDINGS_KEY: 'CHARTGATE_EMBEDDINGS_URL',
  CHARTGATE_OIDC_ORGANIZATION_ID: 'CHARTGATE_OIDC_ISSUER',
};

export interface IdleSetting {
  name: string;
  /** The setting without which it has no effect. */
  needs: string;
}

/** Finds the settings that are given and have no effect, since another one is not: whoever forgot that one would not know. */
export const findIdleSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): IdleSetting[] => {
  const isGiven = (name: string): boolean => Boolean(environment[name] || environment[`${name}_FILE`]);
  return Object.entries(NEEDS)
    .filter(([name, needs]) => isGiven(name) && !isGiven(needs))
    .map(([name, needs]) => ({ name, needs }));
};
