import Bowser from 'bowser';

/** Longer ones are made up. */
const MAX_USER_AGENT = 500;

/** What a browser is called, and its system: whatever else a client writes there is not shown to anybody. */
const NAME = /^[A-Za-z][A-Za-z0-9 .+-]{0,39}$/;

/**
 * Names the browser and the system of a User-Agent, "Firefox, Android", for the person who is to know it again; empty
 * where it says nothing.
 */
export function describeDevice(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent === '') return '';
  const { browser, os } = Bowser.parse(userAgent.slice(0, MAX_USER_AGENT));
  return [browser.name, os.name].filter((name) => name !== undefined && NAME.test(name)).join(', ');
}
