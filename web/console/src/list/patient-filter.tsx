import { useEffect, useState } from 'react';
import type { listPatients } from '../../../../contract/organization/patients.ts';
import { MAX_SEARCH_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { UUID } from '../frame/find-targets.ts';
import { useWords } from '../words/use-words.ts';
import { Chip } from './chip.tsx';
import { formatName } from '../patients/patient-name.tsx';

interface PatientFilterProps {
  label: string;
  /** The id of the chosen patient, or nothing. */
  value: string;
  onChange: (patientId: string) => void;
}

const MIN_LENGTH = 2;
const PAUSE_MS = 250;
const MAX_FOUND = 5;

/** Who is meant is found by name, address, telephone number or an id of one's own: nobody knows ours by heart. */
export function PatientFilter({ label, value, onChange }: PatientFilterProps) {
  const { list } = useWords();
  const maySearch = usePermission('patients.read');
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  const name = usePatientName(value);
  const q = text.trim();
  const isAsked = useIsPaused(q) && q.length >= MIN_LENGTH && !UUID.test(q);
  const found = useData<typeof listPatients>(
    'GET /v1/organizations/{orgId}/patients',
    { query: { q, limit: MAX_FOUND } },
    { enabled: isAsked && maySearch },
  );
  const type = (typed: string) => {
    setText(typed);
    if (typed.trim() === '' || UUID.test(typed.trim())) onChange(typed.trim());
  };
  // A patient of two projects is two rows of that list.
  const patients = new Map(
    (isAsked ? (found.data?.results ?? []) : []).map((each) => [each.patientId, each]),
  );
  return (
    <div className="filter filter-wide">
      <label className="filter">
        <span className="filter-label">{label}</span>
        <input
          className="filter-input"
          type="search"
          autoComplete="off"
          maxLength={MAX_SEARCH_LENGTH}
          placeholder={maySearch ? list.patientPlaceholder : ''}
          value={text === value ? (name ?? text) : text}
          onChange={(event) => type(event.target.value)}
        />
      </label>
      <div role="status">
        {[...patients.values()].map((each) => (
          <Button key={each.patientId} variant="quiet" onPress={() => onChange(each.patientId)}>
            {[formatName(each), each.email].filter(Boolean).join(' · ')}
          </Button>
        ))}
        {isAsked && found.data?.results.length === 0 && <p className="small soft">{list.noPatient}</p>}
      </div>
    </div>
  );
}

/** The patient of whom a list is, by name where the role may know it. */
export function PatientChip({
  label,
  value,
  onRemove,
}: {
  label: string;
  value: string;
  onRemove: () => void;
}) {
  return <Chip text={`${label}: ${usePatientName(value) ?? value}`} onRemove={onRemove} />;
}

/** Looked up in the list of patients, which is no look at one of them. */
function usePatientName(patientId: string): string | null {
  const maySearch = usePermission('patients.read');
  const { data } = useData<typeof listPatients>(
    'GET /v1/organizations/{orgId}/patients',
    { query: { q: patientId, limit: 1 } },
    { enabled: maySearch && UUID.test(patientId) },
  );
  const [found] = data?.results ?? [];
  if (found === undefined) return null;
  return formatName(found) ?? found.email;
}

/** Whether nothing was typed for a moment. */
function useIsPaused(text: string): boolean {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused === text;
}
