import assert from 'node:assert/strict';
import { it } from 'node:test';
import { entry } from '../../../../test/harness/chart.ts';
import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { toVitalReading } from './readings.ts';

const name = (title: string, code: string, value: string): string => {
  const detail = { vital: 'Blood Pressure' as const, value, unit: null };
  const built = entry('vital', title, { dayText: '2024-02-03', code: `http://loinc.org|${code}`, detail });
  return toVitalReading({ ...built, context: null } as unknown as StoredEntry<'vital'>).name;
};

it('puts both pressures that are one text among the others, and one pressure by itself under its name', () => {
  assert.equal(name('Blood pressure', '85354-9', '128/76'), 'Blood Pressure');
  assert.equal(name('Blutdruck', '55284-4', '128/76'), 'Blood Pressure');
  assert.equal(name('Systolic blood pressure', '8480-6', '128'), 'Systolic blood pressure');
});
