import type { CSSProperties } from 'react';
import type { SchemeColors } from '../../../../contract/organization/brand-colors.ts';
import { Logo } from '../../../kit/logo.tsx';
import { useOrganizationWords } from './use-organization-words.ts';
import './brand.css';

interface BrandPreviewProps {
  scheme: 'light' | 'dark';
  /** null: those of the service. */
  colors: SchemeColors | null;
  /** The address of the picture; null: none. */
  mark: string | null;
  name: string;
}

/** What patients see, drawn small: who speaks, a title, a link, and what is pressed. Nothing in it can be. */
export function BrandPreview({ scheme, colors, mark, name }: BrandPreviewProps) {
  const { brand: words } = useOrganizationWords();
  return (
    <figure className={`brand-preview brand-preview-${scheme}`} style={toTokens(colors)}>
      <figcaption className="small soft">{words.schemes[scheme]}</figcaption>
      <div className="brand-head">
        {mark === null ? <Logo /> : <img className="mark mark-picture" src={mark} alt="" />}
        <strong>{mark === null ? 'Chartgate' : name}</strong>
      </div>
      <div className="brand-sheet">
        <strong>{words.sampleTitle(name)}</strong>
        <span className="brand-link">{words.sampleLink}</span>
        <span className="brand-wash">{words.sampleNote}</span>
        <span className="button button-strong">{words.sampleButton}</span>
      </div>
    </figure>
  );
}

/** The tokens of web/kit/tokens.css that are the organization's. */
const toTokens = (colors: SchemeColors | null): CSSProperties =>
  colors === null
    ? {}
    : ({
        '--accent': colors.accent,
        '--accent-strong': colors.accentStrong,
        '--on-accent': colors.onAccent,
        '--accent-wash': colors.accentWash,
        '--leaf': colors.leaf,
      } as CSSProperties);
