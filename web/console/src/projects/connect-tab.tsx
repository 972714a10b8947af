import { Notice } from '../../../kit/notice.tsx';
import { QrCode } from '../../../kit/qr-code.tsx';
import { useConsole } from '../api/use-console.ts';
import { CopyCode } from '../kit/code.tsx';
import { Section } from '../kit/page.tsx';
import { AppSwitch } from './app-switch.tsx';
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
        <CopyCode label={words.mcpUrl} text={mcpUrl} />
        <CopyCode label={words.claude} text={`claude mcp add --transport http chartgate ${mcpUrl}`} />
      </Section>
      <AppSwitch project={project} />
      <Section title={words.invitationTitle}>
        <p className="soft">{words.invitationLead}</p>
        {!isAsking && <Notice kind="warning">{words.notAsking}</Notice>}
        <CopyCode label={words.invitationUrl} text={invitationUrl} />
        {isAsking && (
          <div className="project-qr">
            <QrCode text={invitationUrl} label={words.qrCode} />
          </div>
        )}
      </Section>
    </div>
  );
}
