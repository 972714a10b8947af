import { Notice } from '../../../kit/notice.tsx';
import { QrCode } from '../../../kit/qr-code.tsx';
import { useConsole } from '../api/use-console.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Section } from '../kit/page.tsx';
import type { ProjectData } from './project-data.ts';
import { useProjectWords } from './use-project-words.ts';
import './projects.css';

/** Where apps, agents and people come to the project. */
export function ConnectTab({ project }: { project: ProjectData }) {
  const words = useProjectWords();
  const { baseUrl } = useConsole();
  const mcpUrl = `${baseUrl}/projects/${project.id}/mcp`;
  const invitationUrl = `${baseUrl}/consent/#/patient-consent/${project.id}/enrollment/link`;
  const isAsking = project.consentTypes.length > 0;
  return (
    <div className="page">
      <Section title={words.mcpTitle}>
        <p className="soft">{words.mcpLead}</p>
        <Copyable label={words.mcpUrl} text={mcpUrl} />
        <Copyable label={words.claude} text={`claude mcp add --transport http chartgate ${mcpUrl}`} />
      </Section>
      <Section title={words.invitationTitle}>
        <p className="soft">{words.invitationLead}</p>
        {!isAsking && <Notice kind="warning">{words.notAsking}</Notice>}
        <Copyable label={words.invitationUrl} text={invitationUrl} />
        {isAsking && (
          <div className="project-qr">
            <QrCode text={invitationUrl} label={words.qrCode} />
          </div>
        )}
      </Section>
    </div>
  );
}

function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <div className="secret">
      <div className="secret-label">
        <span>{label}</span>
        <CopyButton text={text} subject={label} />
      </div>
      {/* It scrolls by itself where it is long, so it has to take the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="code" tabIndex={0} aria-label={label} role="region">
        {text}
      </pre>
    </div>
  );
}
