import type { PreviousConsent } from '../api/api.ts';
import { PRIVATE_CLASSES } from '../data/groups.ts';
import { Section } from '../section.tsx';
import { dayOf, lastDayOf } from '../words/day.ts';
import { useLanguage, useWords } from '../words/language.tsx';
import { rowOf } from '../words/list.ts';
import type { About } from './about.ts';
import { Fact } from './fact.tsx';
import { otherApps } from './names.ts';
import { ThenAndNow } from './then-and-now.tsx';

/** For who said yes before: what is different now, and what becomes of what they said. */
export function WhatChanged({ interaction: { previous, project } }: About) {
  const { words, language } = useLanguage();
  const { changed } = words.review;
  if (!previous) return null;
  const { inForce, sameContent, samePage, content } = previous;
  const apps = otherApps(previous, words, language);
  return (
    <Section icon="changed" title={inForce ? changed.sharing : changed.shared}>
      <p>
        {changed.saidYes(dayOf(previous.decidedAt, language))}{' '}
        {inForce ? changed.holds(lastDayOf(previous.expiresAt, language)) : changed.over}
      </p>
      <dl className="facts">
        <Fact name={changed.earlier} prose>
          <Shared previous={previous} />
        </Fact>
      </dl>
      <p>{sameContent ? changed.unchanged : <strong>{changed.contentChanged}</strong>}</p>
      {!sameContent && <ThenAndNow then={content} now={project.content} />}
      {!samePage && <p>{changed.pageChanged}</p>}
      {inForce && <p>{changed.replaces}</p>}
      {apps !== null && <p>{changed.alsoFor(apps)}</p>}
    </Section>
  );
}

/** In the words that it would be chosen by now. */
function Shared({ previous }: { previous: PreviousConsent }) {
  const words = useWords();
  const { consentDataResourceScopes: categories, consentDataSensitivityScopes: classes } = previous;
  if (previous.fullRecordWithoutRestrictedData) return words.review.changed.everything;
  const names = [
    ...(categories ?? []).map((category) => words.data.categories[category].name),
    ...PRIVATE_CLASSES.filter((name) => classes?.includes(name)).map((name) => words.data.classes[name].name),
  ];
  return rowOf(names);
}
