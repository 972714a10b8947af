import { en as consentEn } from '../../web/consent/src/words/en.ts';
import { es as consentEs } from '../../web/consent/src/words/es.ts';
import { en as portalEn } from '../../web/portal/src/words/en.ts';
import { es as portalEs } from '../../web/portal/src/words/es.ts';

/** What the consent app and the portal say; the words that they share are the same in both. */
export const en = { ...consentEn, ...portalEn };
export const es = { ...consentEs, ...portalEs };

export type Words = typeof en;

/** What the console says. */
export { en as consoleEn } from '../../web/console/src/words/en.ts';
export { es as consoleEs } from '../../web/console/src/words/es.ts';
