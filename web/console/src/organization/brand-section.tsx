import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import { deriveBrandColors } from '../../../../contract/organization/brand-colors.ts';
import type {
  deleteOrganizationMark,
  getOrganization,
  setOrganizationMark,
  updateOrganization,
} from '../../../../contract/organization/organization.ts';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { toRefusal } from '../../../kit/http/refusal.ts';
import { Notice } from '../../../kit/notice.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { describeRefusal } from '../kit/describe-refusal.ts';
import { Section } from '../kit/page.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useLanguage } from '../words/use-words.ts';
import { BrandPreview } from './brand-preview.tsx';
import { type MarkFault, readMark, toDataUrl } from './read-mark.ts';
import { useOrganizationWords } from './use-organization-words.ts';
import './brand.css';

type Organization = z.infer<(typeof getOrganization)['response']>;

/** What is chosen: a new picture in base64, or the hash of the one that is stored. */
interface Chosen {
  accentColor: string | null;
  mark: { image: string } | { hash: string } | null;
}

const SERVICE_COLOR = '#0b5d4b';

/** The mark and the colour by which patients recognize the organization, as they see it in both schemes. */
export function BrandSection({ organization, mayWrite }: { organization: Organization; mayWrite: boolean }) {
  const { brand: words } = useOrganizationWords();
  const { baseUrl } = useConsole();
  const stored: Chosen = {
    accentColor: organization.accentColor,
    mark: organization.brand?.mark ? { hash: organization.brand.mark } : null,
  };
  const [changes, setChanges] = useState<Partial<Chosen>>({});
  const chosen = { ...stored, ...changes };
  const colors = chosen.accentColor === null ? null : deriveBrandColors(chosen.accentColor);
  const mark =
    chosen.mark === null
      ? null
      : 'image' in chosen.mark
        ? toDataUrl(chosen.mark.image)
        : `${baseUrl}/account/marks/${chosen.mark.hash}`;
  const name = organization.displayName ?? organization.name;
  const change = (some: Partial<Chosen>) => setChanges((before) => ({ ...before, ...some }));
  return (
    <Section title={words.title}>
      <p className="soft">{words.lead}</p>
      {mayWrite && <MarkField mark={chosen.mark} onChange={(next) => change({ mark: next })} />}
      {mayWrite && (
        <ColorField color={chosen.accentColor} onChange={(accentColor) => change({ accentColor })} />
      )}
      {colors !== null && (
        <p className="small soft">{words.adjusted(colors.light.accent, colors.dark.accent)}</p>
      )}
      <div className="brand-previews">
        <BrandPreview scheme="light" colors={colors?.light ?? null} {...{ mark, name }} />
        <BrandPreview scheme="dark" colors={colors?.dark ?? null} {...{ mark, name }} />
      </div>
      {mayWrite && <SaveBrand {...{ stored, chosen }} onSaved={() => setChanges({})} />}
    </Section>
  );
}

interface LabelledProps {
  id: string;
  label: string;
  hint: string;
  error?: string | undefined;
  children: ReactNode;
}

const Labelled = ({ id, label, hint, error, children }: LabelledProps) => (
  <div className="field">
    <label className="field-label" htmlFor={id}>
      {label}
    </label>
    <p className="field-hint" id={`${id}-hint`}>
      {hint}
    </p>
    {error !== undefined && (
      <p className="field-error" id={`${id}-error`} role="alert">
        {error}
      </p>
    )}
    <div className="brand-choice">{children}</div>
  </div>
);

interface MarkFieldProps {
  mark: Chosen['mark'];
  onChange: (mark: Chosen['mark']) => void;
}

function MarkField({ mark, onChange }: MarkFieldProps) {
  const { brand: words } = useOrganizationWords();
  const [fault, setFault] = useState<MarkFault | null>(null);
  const read = async (file: File) => {
    const result = await readMark(file);
    setFault('fault' in result ? result.fault : null);
    if ('image' in result) onChange(result);
  };
  const error = fault === null ? undefined : words.faults[fault];
  return (
    <Labelled id="brand-mark" label={words.mark} hint={words.markHint} error={error}>
      <input
        id="brand-mark"
        type="file"
        className="brand-file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby={error === undefined ? 'brand-mark-hint' : 'brand-mark-hint brand-mark-error'}
        aria-invalid={error !== undefined}
        onClick={({ currentTarget }) => {
          // The same file can be chosen again after it was changed.
          currentTarget.value = '';
        }}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void read(file);
        }}
      />
      {mark !== null && (
        <Button variant="quiet" onPress={() => onChange(null)}>
          {words.removeMark}
        </Button>
      )}
    </Labelled>
  );
}

interface ColorFieldProps {
  color: string | null;
  onChange: (color: string | null) => void;
}

function ColorField({ color, onChange }: ColorFieldProps) {
  const { brand: words } = useOrganizationWords();
  return (
    <Labelled id="brand-color" label={words.color} hint={words.colorHint}>
      <input
        id="brand-color"
        type="color"
        className="brand-color"
        value={color ?? SERVICE_COLOR}
        aria-describedby="brand-color-hint"
        onChange={({ target }) => onChange(target.value)}
      />
      {color !== null && (
        <>
          <code>{color}</code>
          <Button variant="quiet" onPress={() => onChange(null)}>
            {words.removeColor}
          </Button>
        </>
      )}
    </Labelled>
  );
}

interface SaveBrandProps {
  stored: Chosen;
  chosen: Chosen;
  onSaved: () => void;
}

function SaveBrand({ stored, chosen, onSaved }: SaveBrandProps) {
  const { brand: words, saved } = useOrganizationWords();
  const { words: all, language } = useLanguage();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async () => {
    const { accentColor, mark } = chosen;
    if (accentColor !== stored.accentColor)
      await call<typeof updateOrganization>('PATCH /v1/organizations/{orgId}', { body: { accentColor } });
    if (mark !== null && 'image' in mark)
      await call<typeof setOrganizationMark>('PUT /v1/organizations/{orgId}/mark', { body: mark });
    if (mark === null && stored.mark !== null)
      await call<typeof deleteOrganizationMark>('DELETE /v1/organizations/{orgId}/mark');
    await refresh('GET /v1/organizations/{orgId}');
    onSaved();
    toast(saved);
  };
  const save = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await send();
    } catch (error) {
      setProblem(describeRefusal(toRefusal(error), all, language));
    }
    setBusy(false);
  };
  return (
    <>
      {problem !== null && <Notice kind="danger">{problem}</Notice>}
      <div className="brand-choice">
        <Button variant="strong" busy={busy} onPress={() => void save()}>
          {words.save}
        </Button>
        <Busy busy={busy} text={all.common.oneMoment} />
      </div>
    </>
  );
}
