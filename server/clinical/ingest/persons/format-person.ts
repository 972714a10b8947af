import type { NamedPerson } from './named-person.ts';

/** Somebody as the patient is shown them. */
export interface ShownPerson {
  name: string | null;
  birthDate: string | null;
  sex: 'male' | 'female' | null;
}

export const formatPerson = ({ names, birthDate, sex }: NamedPerson): ShownPerson => ({
  name: names[0]?.text ?? null,
  birthDate,
  sex,
});
