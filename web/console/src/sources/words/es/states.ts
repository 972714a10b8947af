import type { states as english } from '../en/states.ts';

export const states: typeof english = {
  up_to_date: 'Al día',
  running: 'Trayéndose',
  waiting: 'En espera',
  no_match: 'Nadie encontrado',
  ambiguous_match: 'Varios encontrados',
  needs_organization_review: 'Difiere, le necesita',
  failed: 'Falló',
  paused: 'No se trae',
};
