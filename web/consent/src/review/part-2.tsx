import { ALL_CATEGORIES } from '../data/groups.ts';
import { dayOf } from '../words/day.ts';
import { useLanguage, useWords } from '../words/language.tsx';
import { rowOf } from '../words/list.ts';
import type { About } from './about.ts';
import { Ending } from './ending.tsx';
import { Fact } from './fact.tsx';
import { nameOf, recipients } from './names.ts';
import { Purpose } from './purpose.tsx';
import { Signed } from './signed.tsx';

/**
 * All that 42 CFR 2.31(a) (as of 2024) wants in a consent to records of a treatment program, and the limit that 2.32 has
 * told with them, in one place; shown where such records are chosen.
 */
export function Part2(about: About) {
  const { part2 } = useWords().review;
  return (
    <section className="part-2 stack" aria-label={part2.title}>
      <h3>{part2.title}</h3>
      <p>{part2.law}</p>
      <dl className="facts">
        <WhatIsShared {...about} />
        <HowItEnds {...about} />
      </dl>
      <p data-element="2.32">{part2.passedOn}</p>
    </section>
  );
}

function WhatIsShared({ interaction, person, choices }: About) {
  const words = useWords();
  const { part2 } = words.review;
  const kinds = ALL_CATEGORIES.filter((name) => choices.categories.has(name));
  const kindNames = rowOf(kinds.map((name) => words.data.categories[name].name));
  return (
    <>
      <Fact name={part2.patient} element="2.31(a)(1)">
        {nameOf(person)}
      </Fact>
      <Fact name={part2.gives} element="2.31(a)(2)">
        {part2.givesText(interaction.organization.name)}
      </Fact>
      <Fact name={part2.what} element="2.31(a)(3)" prose>
        {part2.whatText} {part2.kinds(kindNames)} {part2.notNotes}
      </Fact>
      <Fact name={part2.gets} element="2.31(a)(4)">
        {recipients(interaction, words)}
      </Fact>
      <Fact name={part2.purpose} element="2.31(a)(5)" prose>
        <Purpose interaction={interaction} />
      </Fact>
    </>
  );
}

function HowItEnds(about: About) {
  const { words, language } = useLanguage();
  const { part2 } = words.review;
  return (
    <>
      <Fact name={part2.stop} element="2.31(a)(6)" prose>
        {part2.stopText}
      </Fact>
      <Fact name={part2.ends} element="2.31(a)(7)" prose>
        <Ending {...about} />
      </Fact>
      <Fact name={part2.signed} element="2.31(a)(8)" prose>
        <Signed {...about} />
      </Fact>
      <Fact name={part2.date} element="2.31(a)(9)">
        {dayOf(about.now.toISOString(), language)}
      </Fact>
    </>
  );
}
