import { useRef, useState } from 'react';
import type { ConnectedApp, Consent, Invitation } from '../api.ts';
import { Refusal } from '../../../kit/http/refusal.ts';
import { useAppDeps } from '../app-deps.ts';
import { Section } from '../../../patient/section.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import { StatusMessage } from '../status-message.tsx';
import { Loaded } from '../loaded.tsx';
import type { KeptChoice, NarrowedScopes } from '../lost-action.ts';
import { useGuardedAction, usePersonQuery, type PersonProps } from '../person-query.ts';
import { Invitations } from './asked-again.tsx';
import { ConsentCard, PastConsent } from './consent-card.tsx';
import {
  formatAppGoesOn,
  formatNarrowed,
  formatOrganizationReads,
  formatStopped,
} from './consent-effects.ts';
import { formatAppName, formatNamesakes } from './namesakes.ts';

interface Outcome {
  consent: Consent;
  kind: 'stopped' | 'narrowed' | 'changed-meanwhile' | 'disconnected';
  /** That was disconnected. */
  app?: ConnectedApp;
}

/**
 * Another tab, the app or the organization changed or ended the consent after this page had loaded it. `forbidden`: the person
 * takes part in the project no more.
 */
const CHANGED_MEANWHILE: ReadonlySet<string> = new Set([
  'not_narrower',
  'no_consent',
  'not_found',
  'forbidden',
]);

/** Who may read, and the way to stop it; the review names this page. */
export function MyConsents({ invitations, ...props }: PersonProps & { invitations: readonly Invitation[] }) {
  const { api } = useAppDeps();
  const { myData } = useWords();
  const consents = usePersonQuery(api.listMyConsents, props);
  const runGuarded = useGuardedAction(props);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const finish = async (result: Outcome) => {
    // What is over is said together with what is shared now, not beside a card that still shows what was before.
    await consents.refresh();
    setOutcome(result);
    // The focused button disappears with its consent, or with the form that it closed.
    heading.current?.focus();
    // Reloads every section: this action is the newest entry of the recent activity.
    await props.reload();
  };
  const act: Act = async (action, result, kept) => {
    // What was done before is not what becomes of this.
    setOutcome(null);
    try {
      if (await runGuarded(action, kept)) await finish(result);
    } catch (error) {
      if (!(error instanceof Refusal && CHANGED_MEANWHILE.has(error.code))) throw error;
      await finish({ consent: result.consent, kind: 'changed-meanwhile' });
    }
  };
  const { withdraw, narrow, disconnect } = useWays(act);

  return (
    <Section icon="record" title={myData.share} heading={heading}>
      <div>
        <OutcomeMessage
          outcome={outcome}
          consents={consents.query.state === 'loaded' ? consents.query.data.consents : []}
        />
        <Loaded of={consents}>
          {({ consents }) => <Consents {...{ consents, invitations, withdraw, narrow, disconnect }} />}
        </Loaded>
      </div>
    </Section>
  );
}

/** Runs an action and says what came of it; `kept` is offered again where the session had ended. */
type Act = (action: () => Promise<unknown>, result: Outcome, kept?: KeptChoice) => Promise<void>;

/** The ways to share less. */
function useWays(act: Act) {
  const { api } = useAppDeps();
  const { language } = useLanguage();
  const withdraw = async (consent: Consent) => {
    const body = { projectId: consent.project.id, consentType: consent.consentType, language };
    await act(() => api.withdrawMyConsent(body), { consent, kind: 'stopped' });
  };
  const narrow = async (consent: Consent, scopes: NarrowedScopes) =>
    act(
      () => api.narrowMyConsent({ ...toNarrowBody(consent, scopes), language }),
      { consent, kind: 'narrowed' },
      { narrowing: { consentRecordId: consent.consentRecordId, scopes } },
    );
  const disconnect = async (consent: Consent, app: ConnectedApp) => {
    const body = { projectId: consent.project.id, clientId: app.clientId };
    await act(() => api.disconnectMyApp(body), { consent, kind: 'disconnected', app });
  };
  return { withdraw, narrow, disconnect };
}

/** Says what was done, and what goes on: from what is shared now, not from what was before. */
function OutcomeMessage({ outcome, consents }: { outcome: Outcome | null; consents: readonly Consent[] }) {
  const { words, language } = useLanguage();
  const context = { words, language, consents };
  return <StatusMessage text={outcome && formatOutcome(outcome, context)} />;
}

function formatOutcome(
  { consent, kind, app }: Outcome,
  context: Parameters<typeof formatStopped>[1],
): string {
  const { words } = context;
  if (kind === 'stopped') return formatStopped(consent, context);
  if (kind === 'narrowed') return formatNarrowed(consent, context);
  if (app === undefined) return words.myData.changedMeanwhile;
  const done = words.myData.appDisconnected(formatAppName(app, context));
  return [
    done,
    formatOrganizationReads(consent, context),
    formatNamesakes(app, context),
    formatAppGoesOn(app, consent, context),
  ]
    .filter((text) => text !== null)
    .join(' ');
}

interface ConsentsProps {
  consents: Consent[];
  invitations: readonly Invitation[];
  withdraw: (consent: Consent) => Promise<void>;
  narrow: (consent: Consent, scopes: NarrowedScopes) => Promise<void>;
  disconnect: (consent: Consent, app: ConnectedApp) => Promise<void>;
}

function Consents({ consents, invitations, withdraw, narrow, disconnect }: ConsentsProps) {
  const { myData } = useWords();
  const active = consents.filter(({ status }) => status === 'active');
  const past = consents.filter(({ status }) => status !== 'active');
  return (
    <div className="stack stack-wide">
      {active.length === 0 && <p>{myData.nothing}</p>}
      {active.length > 0 && (
        <ul className="stack">
          {active.map((consent) => (
            <ConsentCard
              // A form that is open in the card belongs to the decision that the card shows.
              key={consent.consentRecordId}
              {...{ consent, consents, invitations }}
              withdraw={async () => withdraw(consent)}
              narrow={async (scopes) => narrow(consent, scopes)}
              disconnect={async (app) => disconnect(consent, app)}
            />
          ))}
        </ul>
      )}
      {past.length > 0 && (
        <div className="stack">
          <h3 className="minor-title">{myData.endedBefore}</h3>
          <ul className="consents-ended">
            {past.map((consent) => (
              <PastConsent key={consent.consentRecordId} consent={consent} />
            ))}
          </ul>
        </div>
      )}
      <Invitations invitations={invitations} />
    </div>
  );
}

const toNarrowBody = ({ project, consentType }: Consent, { categories, sensitivities }: NarrowedScopes) => ({
  projectId: project.id,
  consentType,
  consentDataResourceScopes: [...categories],
  consentDataSensitivityScopes: ['NORMAL' as const, ...sensitivities],
});
