import type { PatientWords } from '../en.ts';

/** What a record holds, as it is chosen: six groups of eighteen kinds, and eight very private subjects. */
export const data: PatientWords['data'] = {
  groups: {
    you: 'Sobre usted',
    problems: 'Su salud',
    care: 'Su tratamiento',
    tests: 'Pruebas y medidas',
    visits: 'Sus consultas y planes',
    life: 'Su vida y su familia',
  },
  categories: {
    DEMOGRAPHICS: { name: 'Quién es usted', means: 'Su nombre, fecha de nacimiento, sexo e idioma.' },
    CONTACT_INFO: { name: 'Cómo localizarle', means: 'Su dirección, teléfono y correo electrónico.' },
    DIAGNOSES: { name: 'Problemas de salud', means: 'Lo que tiene o tuvo, como asma o un hueso roto.' },
    ALLERGIES: { name: 'Alergias', means: 'Lo que le hace mal, como una comida o una medicina.' },
    MEDICATIONS: { name: 'Medicinas', means: 'Lo que toma o tomó, cuánto y cuándo.' },
    IMMUNIZATIONS: { name: 'Vacunas', means: 'Qué vacunas le pusieron y cuándo.' },
    PROCEDURES: { name: 'Cirugías y tratamientos', means: 'Lo que le hicieron, como una operación.' },
    LABS: { name: 'Resultados de laboratorio', means: 'Pruebas de sangre, de orina y otras.' },
    CLINICAL_VITALS: { name: 'Signos vitales', means: 'Presión, pulso, peso y estatura.' },
    DIAGNOSTIC_REPORTS: { name: 'Informes de pruebas', means: 'Lo que un médico escribió sobre una prueba.' },
    IMAGING: { name: 'Rayos X y otras imágenes', means: 'Qué imágenes le tomaron y qué muestran.' },
    GENOMIC_DATA: { name: 'Genes', means: 'Lo que se encontró en sus genes.' },
    VISITS: { name: 'Consultas', means: 'Cuándo vio a un médico o estuvo en un hospital, y por qué.' },
    CLINICAL_NOTES: { name: 'Notas', means: 'Lo que su equipo médico escribió sobre usted.' },
    TREATMENT_PLAN: { name: 'Planes de cuidado', means: 'Lo que usted y su equipo médico piensan hacer.' },
    FAMILY_HISTORY: {
      name: 'Salud de la familia',
      means: 'Problemas de salud de sus padres y otros familiares.',
    },
    SOCIAL_HISTORY: { name: 'Vida diaria', means: 'Como su trabajo, su casa y si fuma.' },
    ADMINISTRATIVE_AND_BILLING: { name: 'Seguro y cuentas', means: 'Su seguro médico, reclamos y gastos.' },
  },
  sensitivities: {
    MENTAL_HEALTH: { name: 'Salud mental', means: 'Como la depresión, y la atención que recibió.' },
    PSYCHOTHERAPY_NOTES: { name: 'Notas de terapia', means: 'Lo que un terapeuta anotó sobre sus sesiones.' },
    SUBSTANCE_USE_OR_DRUG_ABUSE: { name: 'Consumo de alcohol y drogas', means: 'Lo que consume o consumió.' },
    SUD_PART_2: {
      name: 'Tratamiento por alcohol o drogas',
      means: 'Datos de un programa que lo trata. Una ley especial los protege.',
    },
    HIV_OR_STI: {
      name: 'VIH y otras infecciones sexuales',
      means: 'Pruebas, resultados y tratamiento.',
    },
    REPRODUCTIVE_HEALTH_DATA: {
      name: 'Embarazo y anticonceptivos',
      means: 'También la pérdida o el fin de un embarazo, y la ayuda para tener hijos.',
    },
    GENETIC_TESTING: { name: 'Pruebas genéticas', means: 'Lo que una prueba encontró en sus genes.' },
    SICKLE_CELL: { name: 'Anemia falciforme', means: 'Si tiene la enfermedad o puede pasarla a sus hijos.' },
  },
  count: (shared, all) => `Se comparten ${shared} de ${all}`,
  shared: (names) => `Se comparte: ${names}`,
  notShared: (names) => `No se comparte: ${names}`,
  noneHere: 'no tiene nada aquí',
  neededFor: (organization) => `${organization} dice para qué lo necesita:`,
  emptyRecord: {
    text: 'Su historial médico aquí está vacío: nadie encontraría nada.',
    add: 'Añada antes sus documentos',
    asked:
      'Los archivos que añadió nombran a otra persona. No están en su historial hasta que diga si son sobre usted:',
    answer: 'Responda eso primero',
    goOn: 'También puede hacerlo después.',
    arriving: 'Ahora se leen sus archivos. Lo que contienen será parte de su historial cuando termine.',
  },
  oneByOne: 'Elegir uno por uno',
  oneByOneIn: (group) => `Elegir uno por uno: ${group}`,
  shareAll: 'Compartir todo',
  shareNone: 'No compartir nada',
};
