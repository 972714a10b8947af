import { Refusal } from '../../platform/kernel/refusal.ts';

export const createPathNotFoundRefusal = (): Refusal =>
  new Refusal(404, 'not_found', {
    detail: 'There is nothing at this path; GET /FHIR/R4/metadata lists what there is.',
  });
