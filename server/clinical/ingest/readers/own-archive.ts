/** How a member shows that the archive around it was made by this service. */
type OwnSign = 'readme' | 'profile' | 'token';

/**
 * What a member is in an archive that this service made: beside the record (its explanation, decisions, receipts, logs), or a
 * document of it, of which `record/` has what was read.
 */
export type OwnPart = 'beside' | 'document';

/** Words that only our own explanation of a download begins with, in any version. */
const README = /^\s*Your data\s+=+\s+This archive holds [^]{0,400}\sprofile\.json\s/;

/** The members of a profile, in their order. */
const PROFILE = /^\s*\{\s*"account"\s*:\s*(?:\{[^{}]*\}|null)\s*,\s*"enrollments"\s*:/;

const TOKEN = /^\s*eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\s*$/;

/** Returns what a member shows by its first bytes; a name alone shows nothing. */
export function findOwnSign(head: Buffer, path: string): OwnSign | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const text = head.toString('utf8');
  if (README.test(text)) return 'readme';
  if (name === 'profile.json' && PROFILE.test(text)) return 'profile';
  return name.endsWith('.jws') && TOKEN.test(text) ? 'token' : null;
}

/** What is beside the record in a download, and in the evidence of a decision, by its path in there. */
const BESIDE = {
  download: /^(?:profile\.json|access-log\.ndjson|consents\/.*)$/,
  evidence:
    /^(?:(?:record|receipt|words|keys|screens)\.json|(?:receipt|manifest)\.jws|audit\.ndjson|index\.html|screens\/.*)$/,
};

/** The documents of a download: a folder for each upload. */
const DOCUMENT = /^documents\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/(.+)$/i;

export interface SignedMember {
  path: string;
  ownSign: OwnSign | null;
}

/** What a member is in an archive of ours, and that archive's folder. */
export interface OwnMember {
  part: OwnPart;
  /** Ends with a slash, or is empty. */
  root: string;
  /** The path that a document had when it was uploaded. */
  documentPath: string;
}

/** Creates what says of a member what it is in an archive of ours, whichever folder or archive that lies in; null for any other. */
export function createOwnArchives(members: readonly SignedMember[]): (path: string) => OwnMember | null {
  const signs = new Map(members.map(({ path, ownSign }) => [path, ownSign]));
  const roots = new Map<string, keyof typeof BESIDE>();
  for (const [path, sign] of signs) {
    const root = path.slice(0, path.lastIndexOf('/') + 1);
    if (sign === 'readme') roots.set(root, 'download');
    if (sign === 'profile' && signs.has(`${root}access-log.ndjson`)) roots.set(root, 'download');
    if (path === `${root}manifest.jws` && sign === 'token' && signs.get(`${root}receipt.jws`) === 'token')
      roots.set(root, 'evidence');
  }
  return (path) => {
    for (const root of listFolders(path)) {
      const kind = roots.get(root);
      const inside = path.slice(root.length);
      const isExplanation = signs.get(path) === 'readme';
      if (kind !== undefined && (isExplanation || BESIDE[kind].test(inside)))
        return { part: 'beside', root, documentPath: inside };
      const documentPath = kind === 'download' ? DOCUMENT.exec(inside)?.[1] : undefined;
      if (documentPath !== undefined) return { part: 'document', root, documentPath };
    }
    return null;
  };
}

/** Lists the folders around a path, the outermost first: an archive of ours may hold another one. */
const listFolders = (path: string): string[] => [
  '',
  ...Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1)),
];
