import type { Person } from '../../../patient/account-api.ts';
import { confirmPerson } from '../../../patient/same-person.ts';
import type { DecisionTerms } from '../api.ts';
import type { DraftPort } from '../draft/draft-port.ts';
import { captureElement } from './capture-element.ts';

/** Pictures of the screens that a person has seen, sent to the service for their decision as they are taken. */
export interface Evidence {
  /**
   * Takes a picture of the page as it is. `owner` names the person and what they decide on; `shown`: the choices and words in
   * the picture, without which another one would be taken of the same.
   */
  capture(owner: string, screen: string, shown?: DecisionTerms): Promise<void>;
  /** Sends the picture of a screen, once to each draft; returns its id, null where there is none. */
  send(owner: string, screen: string, draft: DraftOfPerson): Promise<string | null>;
  has(owner: string, screen: string): boolean;
  /** Ends a draft with its decision: the next one about the same gets its pictures anew. */
  endDraft(review: string): void;
  /** Drops the pictures of a person, which the service did not take for those of their decision. */
  forget(owner: string): void;
}

interface DraftOfPerson {
  port: DraftPort;
  person: Person;
}

interface Picture {
  takenAt: string;
  image: Blob;
  shown: DecisionTerms | undefined;
  /** By draft. */
  ids: Map<string, Promise<string>>;
}

/** `page` is the element that all screens are in. */
export function createEvidence(page: HTMLElement): Evidence {
  const pictures = new Map<string, Picture>();
  const getKey = (owner: string, screen: string): string => `${owner} ${screen}`;
  return {
    async capture(owner, screen, shown) {
      const key = getKey(owner, screen);
      const known = pictures.get(key);
      if (known && shown && isSame(known.shown, shown)) return;
      pictures.delete(key);
      const takenAt = new Date().toISOString();
      pictures.set(key, { takenAt, image: await captureElement(page), shown, ids: new Map() });
    },
    async send(owner, screen, { port, person }) {
      const picture = pictures.get(getKey(owner, screen));
      if (!picture) return null;
      const known = picture.ids.get(port.review);
      if (known) return known;
      const sent = sendPicture({ port, person }, screen, picture);
      picture.ids.set(port.review, sent);
      // The next try sends it again.
      sent.catch(() => picture.ids.delete(port.review));
      return sent;
    },
    has: (owner, screen) => pictures.has(getKey(owner, screen)),
    endDraft(review) {
      for (const { ids } of pictures.values()) ids.delete(review);
    },
    forget(owner) {
      for (const key of pictures.keys()) if (key.startsWith(`${owner} `)) pictures.delete(key);
    },
  };
}

const isSame = (one: DecisionTerms | undefined, other: DecisionTerms): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

async function sendPicture(
  { port, person }: DraftOfPerson,
  screen: string,
  { takenAt, image, shown }: Picture,
): Promise<string> {
  const data = await encodeBase64(image);
  const picture = { ...confirmPerson(person), screen, takenAt, contentType: 'image/png' as const, data };
  return (await port.addScreen({ ...picture, ...(shown && { shown }) })).id;
}

/** Encodes with a FileReader: a string of megabytes is too long for `btoa(String.fromCharCode(...bytes))`. */
function encodeBase64(image: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The picture cannot be read.')));
    reader.readAsDataURL(image);
  });
}
