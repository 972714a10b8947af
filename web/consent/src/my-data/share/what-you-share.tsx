import { useRef, useState } from 'react';
import type { Consent } from '../../api/api.ts';
import { Refusal } from '../../api/refusal.ts';
import { usePage } from '../../page.ts';
import { Loading } from '../../screens/loading.tsx';
import { Section } from '../../section.tsx';
import type { Words } from '../../words/en.ts';
import { useWords } from '../../words/language.tsx';
import { Done } from '../done.tsx';
import { SectionFailed } from '../section-failed.tsx';
import { useAsMe, useMine, type Mine } from '../use-mine.ts';
import type { Choice } from './change-sharing.tsx';
import { ConsentCard, EndedConsent } from './consent-card.tsx';

interface Outcome {
  consent: Consent;
  what: 'stopped' | 'narrowed' | 'changed-meanwhile';
}

/** Who may read, and the way to stop it: the place that the review names. */
export function WhatYouShare(mine: Mine) {
  const { api } = usePage();
  const { myData } = useWords();
  const { asked, load } = useMine(api.consents, mine);
  const asMe = useAsMe(mine);
  const [done, setDone] = useState<Outcome | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const finish = async (now: Outcome) => {
    setDone(now);
    // The button that had the focus goes away with its consent, or with the choice that it closed.
    heading.current?.focus();
    // Every section: what has just been done is the newest of what happened.
    await mine.reload();
  };
  const stop = async (consent: Consent) => {
    if (await asMe(() => api.stopSharing(consent.project.id))) await finish({ consent, what: 'stopped' });
  };
  const narrow = async (consent: Consent, choice: Choice) => {
    try {
      if (await asMe(() => api.narrow(narrowed(consent, choice))))
        await finish({ consent, what: 'narrowed' });
    } catch (error) {
      // Another tab, or the app itself, has changed or ended it since this page asked.
      if (!(error instanceof Refusal && ['not_narrower', 'no_consent'].includes(error.code))) throw error;
      await finish({ consent, what: 'changed-meanwhile' });
    }
  };

  return (
    <Section icon="record" title={myData.share} heading={heading}>
      <div>
        <Done text={done && saidOf(done, myData)} />
        {asked.state === 'loading' && <Loading />}
        {asked.state === 'troubled' && <SectionFailed trouble={asked.trouble} onRetry={() => void load()} />}
        {asked.state === 'known' && <Consents consents={asked.answer.consents} stop={stop} narrow={narrow} />}
      </div>
    </Section>
  );
}

function saidOf({ consent: { organization, project }, what }: Outcome, myData: Words['myData']): string {
  const said = {
    stopped: myData.stopped(organization.name, project.name),
    narrowed: myData.narrowed(organization.name),
    'changed-meanwhile': myData.changedMeanwhile,
  };
  return said[what];
}

interface ConsentsProps {
  consents: Consent[];
  stop: (consent: Consent) => Promise<void>;
  narrow: (consent: Consent, choice: Choice) => Promise<void>;
}

function Consents({ consents, stop, narrow }: ConsentsProps) {
  const { myData } = useWords();
  const active = consents.filter(({ status }) => status === 'active');
  const ended = consents.filter(({ status }) => status !== 'active');
  return (
    <div className="stack stack-wide">
      {active.length === 0 && <p>{myData.nothing}</p>}
      {active.length > 0 && (
        <ul className="stack">
          {active.map((consent) => (
            <ConsentCard
              // What is open in it belongs to the decision that it shows.
              key={consent.consentRecordId}
              consent={consent}
              stop={async () => stop(consent)}
              narrow={async (choice) => narrow(consent, choice)}
            />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <div className="stack">
          <h3 className="minor-title">{myData.endedBefore}</h3>
          <ul className="consents-ended">
            {ended.map((consent) => (
              <EndedConsent key={consent.project.id} consent={consent} />
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

const narrowed = ({ project }: Consent, { categories, classes }: Choice) => ({
  projectId: project.id,
  consentDataResourceScopes: [...categories],
  consentDataSensitivityScopes: ['NORMAL' as const, ...classes],
});
