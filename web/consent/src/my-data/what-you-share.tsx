import { useRef, useState } from 'react';
import { Notice } from '../../../look/notice.tsx';
import type { Consent } from '../api/api.ts';
import { troubleOf } from '../api/refusal.ts';
import { usePage } from '../page.ts';
import { Loading } from '../screens/loading.tsx';
import { Section } from '../section.tsx';
import { useWords } from '../words/language.tsx';
import { ConsentCard } from './consent-card.tsx';
import { SectionFailed } from './section-failed.tsx';
import { useMine, type Mine } from './use-mine.ts';

/** Who may read, and the way to stop it: the place that the review names. */
export function WhatYouShare(mine: Mine) {
  const { api } = usePage();
  const { myData } = useWords();
  const { asked, load } = useMine(api.consents, mine);
  const [stopped, setStopped] = useState<Consent | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const stop = async (consent: Consent) => {
    if (!(await withdraw(consent))) return mine.reload();
    setStopped(consent);
    // The button that had the focus goes away with its consent.
    heading.current?.focus();
    await load();
  };
  /** Tells whether it was the person of this page who stopped; another tab may have signed in somebody else. */
  const withdraw = async ({ project }: Consent): Promise<boolean> => {
    const { person } = await api.session();
    if (person?.email !== mine.person.email) return false;
    try {
      await api.stopSharing(project.id);
      return true;
    } catch (error) {
      if (troubleOf(error).kind !== 'signed-out') throw error;
      return false;
    }
  };

  return (
    <Section icon="record" title={myData.share} heading={heading}>
      <div>
        {/* There from the start, since what appears together with its region is not read out. */}
        <div role="status" className="stopped">
          {stopped && <Notice>{myData.stopped(stopped.organization.name, stopped.project.name)}</Notice>}
        </div>
        {asked.state === 'loading' && <Loading />}
        {asked.state === 'troubled' && <SectionFailed trouble={asked.trouble} onRetry={() => void load()} />}
        {asked.state === 'known' && <Consents consents={asked.answer.consents} stop={stop} />}
      </div>
    </Section>
  );
}

function Consents({ consents, stop }: { consents: Consent[]; stop: (consent: Consent) => Promise<void> }) {
  const { myData } = useWords();
  if (consents.length === 0) return <p>{myData.nothing}</p>;
  return (
    <ul className="stack">
      {consents.map((consent) => (
        <ConsentCard key={consent.project.id} consent={consent} stop={async () => stop(consent)} />
      ))}
    </ul>
  );
}
