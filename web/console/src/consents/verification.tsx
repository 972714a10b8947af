import { Icon } from '../../../kit/icon.tsx';
import { Section } from '../kit/page.tsx';
import { useConsentWords } from './use-consent-words.ts';
import type { Check } from './verify-evidence.ts';

/** What the browser has checked, line by line. */
export function Verification({ checks }: { checks: readonly Check[] }) {
  const { verification: words } = useConsentWords();
  const hasFailed = checks.some(({ passed }) => !passed);
  const describe = ({ name, picture = 0 }: Check): string =>
    name === 'picture' ? words.picture(String(picture + 1)) : words.checks[name];
  return (
    <div {...(hasFailed && { role: 'alert' })}>
      <Section title={hasFailed ? words.failedTitle : words.title}>
        <p className="soft">{hasFailed ? words.failedLead : words.lead}</p>
        <ul className="checks">
          {checks.map((check) => (
            <li
              key={`${check.name}${check.picture ?? ''}`}
              className={check.passed ? 'check' : 'check check-failed'}
            >
              <Icon name={check.passed ? 'verified' : 'warning'} />
              <div>
                <p>
                  {describe(check)} <strong>{check.passed ? words.passed : words.failed}</strong>
                </p>
                {check.detail !== null && check.name !== 'count' && (
                  <p className="small soft">
                    <code>{check.name === 'signature' ? words.key(check.detail) : check.detail}</code>
                  </p>
                )}
              </div>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
