import type { DoctorFinding } from '../../../../contract/organization/doctor/doctor.ts';
import type { CheckName } from '../../../../contract/organization/doctor/findings.ts';
import type { IconName } from '../../../kit/icon.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { describeFinding } from './describe-finding.ts';
import { useFindingWords } from './use-finding-words.ts';
import { useSystemCheckWords } from './use-system-check-words.ts';

const ICONS: Record<DoctorFinding['outcome'], IconName> = {
  failed: 'stop',
  warning: 'warning',
  ok: 'check',
  skipped: 'minus',
};

/** What has to be mended stands first. */
const ORDER = ['failed', 'warning', 'ok', 'skipped'] as const;

/** What each check found, and what mends it. */
export function Findings({ findings }: { findings: readonly DoctorFinding[] }) {
  const sorted = ORDER.flatMap((outcome) => findings.filter((finding) => finding.outcome === outcome));
  return (
    <ul className="findings">
      {sorted.map((finding) => (
        <FindingLine key={finding.code + Object.values(finding.values).join(' ')} finding={finding} />
      ))}
    </ul>
  );
}

function FindingLine({ finding }: { finding: DoctorFinding }) {
  const words = useSystemCheckWords();
  const { detail, remedy } = describeFinding(finding, useFindingWords());
  return (
    <li className={`finding finding-${finding.outcome}`}>
      <Icon name={ICONS[finding.outcome]} />
      <div>
        <p>
          <strong>{words.checks[finding.check as CheckName]}</strong>{' '}
          <span className="small soft">{words.outcomes[finding.outcome]}</span>
        </p>
        <p>{detail}</p>
        {remedy !== null && (
          <p className="finding-remedy">
            {words.remedy} {remedy}
          </p>
        )}
      </div>
    </li>
  );
}
