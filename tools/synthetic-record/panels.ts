import type { AnalyteName } from './analytes.ts';
import { loinc, type NamedCoding } from './codes.ts';

export interface Panel {
  text: string;
  category: 'laboratory' | 'survey';
  analytes: readonly AnalyteName[];
  /** Present: the results are gathered in a DiagnosticReport with this code. */
  report?: NamedCoding;
}

export const panels = {
  metabolic: {
    text: 'Basic metabolic panel',
    category: 'laboratory',
    report: loinc('24321-2', 'Basic metabolic 2000 panel - Serum or Plasma'),
    analytes: [
      'glucose',
      'ureaNitrogen',
      'creatinine',
      'egfr',
      'sodium',
      'potassium',
      'chloride',
      'bicarbonate',
      'calcium',
    ],
  },
  bloodCount: {
    text: 'Complete blood count',
    category: 'laboratory',
    report: loinc('58410-2', 'CBC panel - Blood by Automated count'),
    analytes: ['whiteCells', 'redCells', 'hemoglobin', 'hematocrit', 'platelets'],
  },
  lipids: {
    text: 'Lipid panel',
    category: 'laboratory',
    report: loinc('24331-1', 'Lipid 1996 panel - Serum or Plasma'),
    analytes: ['cholesterol', 'triglycerides', 'hdl', 'ldl'],
  },
  hba1c: { text: 'Hemoglobin A1c', category: 'laboratory', analytes: ['hba1c'] },
  urineAlbumin: { text: 'Urine albumin', category: 'laboratory', analytes: ['urineAlbumin'] },
  thyroid: { text: 'Thyroid function', category: 'laboratory', analytes: ['tsh', 'freeThyroxine'] },
  eosinophils: { text: 'Eosinophils', category: 'laboratory', analytes: ['eosinophils'] },
  cReactiveProtein: { text: 'C-reactive protein', category: 'laboratory', analytes: ['cReactiveProtein'] },
  phq9: { text: 'PHQ-9', category: 'survey', analytes: ['phq9'] },
  pain: { text: 'Pain score', category: 'survey', analytes: ['pain'] },
} as const satisfies Record<string, Panel>;

export type PanelName = keyof typeof panels;

export function getPanel(name: PanelName): Panel {
  return panels[name];
}

/** Drawn once a year from everybody, ill or not. */
export const yearlyPanels: readonly PanelName[] = ['metabolic', 'bloodCount'];
