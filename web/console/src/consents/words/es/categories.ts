import type { categories as english } from '../en/categories.ts';

export const categories: typeof english = {
  DEMOGRAPHICS: 'Quién es',
  CONTACT_INFO: 'Cómo contactar',
  DIAGNOSES: 'Problemas de salud',
  ALLERGIES: 'Alergias',
  MEDICATIONS: 'Medicinas',
  IMMUNIZATIONS: 'Vacunas',
  PROCEDURES: 'Cirugías y tratamientos',
  LABS: 'Resultados de laboratorio',
  CLINICAL_VITALS: 'Signos vitales',
  DIAGNOSTIC_REPORTS: 'Informes de pruebas',
  IMAGING: 'Rayos X y otras imágenes',
  GENOMIC_DATA: 'Genes',
  VISITS: 'Consultas',
  CLINICAL_NOTES: 'Notas',
  TREATMENT_PLAN: 'Planes de cuidado',
  FAMILY_HISTORY: 'Salud de la familia',
  SOCIAL_HISTORY: 'Vida diaria',
  ADMINISTRATIVE_AND_BILLING: 'Seguro y cuentas',
};
