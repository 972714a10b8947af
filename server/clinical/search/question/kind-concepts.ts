import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import type { AskedKind } from '../question.ts';

/** Concepts that name a kind of entries and nothing in it. */
const KINDS_BY_SLUG: ReadonlyMap<string, readonly AskedKind[]> = new Map<string, readonly AskedKind[]>([
  ['encounter', [{ kind: 'visit', weight: 1 }]],
  ['goal', [{ kind: 'goal', weight: 1 }]],
  ['allergy', [{ kind: 'allergy', weight: 1 }]],
  ['vaccine', [{ kind: 'immunization', weight: 1 }]],
  ['vaccination', [{ kind: 'immunization', weight: 1 }]],
  ['surgery', [{ kind: 'procedure', weight: 1 }]],
  ['laboratory-test', [{ kind: 'lab', weight: 1 }]],
  ['vital-signs', [{ kind: 'vital', weight: 1 }]],
  [
    'imaging',
    [
      { kind: 'imaging', weight: 1 },
      { kind: 'procedure', weight: 0.4 },
    ],
  ],
  ['social-history', [{ kind: 'social_history', weight: 1 }]],
  ['family-history', [{ kind: 'family_history', weight: 1 }]],
  ['medical-device', [{ kind: 'device', weight: 1 }]],
  ['care-plan', [{ kind: 'care_plan', weight: 1 }]],
  ...['care-team', 'physician', 'primary-care-provider'].map(
    (slug) =>
      [
        slug,
        [
          { kind: 'care_team', weight: 1 },
          { kind: 'visit', weight: 0.4 },
        ],
      ] as const,
  ),
  [
    'screening',
    [
      { kind: 'lab', weight: 0.6 },
      { kind: 'procedure', weight: 0.4 },
      { kind: 'survey', weight: 0.3 },
    ],
  ],
  ['health-insurance', [{ kind: 'coverage', weight: 1 }]],
]);

/** Returns the kinds that a phrase names, where each of its meanings names one; else none. */
export function findNamedKinds({ concepts }: PhraseMatch): readonly AskedKind[] {
  const kinds = concepts.map(({ slug }) => KINDS_BY_SLUG.get(slug) ?? []);
  return kinds.every((each) => each.length > 0) ? kinds.flat() : [];
}
