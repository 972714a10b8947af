/** HL7 v3 ActEncounterCode, to which `Encounter.class` is bound, with the displays of the code system. */
export const ENCOUNTER_CLASSES = new Map([
  ['AMB', 'ambulatory'],
  ['EMER', 'emergency'],
  ['FLD', 'field'],
  ['HH', 'home health'],
  ['IMP', 'inpatient encounter'],
  ['ACUTE', 'inpatient acute'],
  ['NONAC', 'inpatient non-acute'],
  ['OBSENC', 'observation encounter'],
  ['PRENC', 'pre-admission'],
  ['SS', 'short stay'],
  ['VR', 'virtual'],
]);
