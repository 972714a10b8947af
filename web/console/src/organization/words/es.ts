import type { OrganizationWords } from './en.ts';

export const organization: OrganizationWords = {
  title: 'Organización',
  lead: 'Cómo se presenta la organización a las personas que invita, en páginas y correos.',
  displayName: 'Nombre para las personas',
  displayNameHint: (name) => `Aparece en páginas y correos. Vacío: ${name}.`,
  publicName: 'A qué invita',
  publicNameHint:
    'Aparece en los asuntos de los correos, que cualquiera puede ver por encima del hombro. Vacío: ningún asunto nombra un proyecto.',
  contactName: 'Quién responde preguntas',
  contactEmail: 'Su correo electrónico',
  contactPhone: 'Su teléfono',
  contactWrong: 'Escriba un correo electrónico como nombre@example.com',
  faultAddresses: 'A quién se escribe cuando algo falla',
  faultAddressesHint: 'Correos electrónicos separados por comas. Vacío: a todos los miembros.',
  addressesWrong: 'Escriba correos electrónicos separados por comas',
  languages: 'Idiomas de los correos',
  languageChoices: {
    'en es': 'Ambos; inglés si se desconoce',
    'es en': 'Ambos; español si se desconoce',
    en: 'Solo inglés',
    es: 'Solo español',
  },
  timeZone: 'Zona horaria',
  timeZoneHint: 'Los días de gráficos, estadísticas y filtros por día son los de esta zona.',
  onlyVouchedApps: 'Admitir solo aplicaciones que avalamos',
  onlyVouchedAppsHint:
    'En todos los proyectos, también los que vengan. Las demás no pueden pedir consentimiento; las que están conectadas siguen. Un proyecto puede pedirlo por su cuenta.',
  noNewRegistrations: 'No admitir aplicaciones nuevas',
  noNewRegistrationsHint:
    'Se rechaza la aplicación que nunca ha pedido nada a nuestros pacientes, y también un registro nuevo de una que ya lo hizo. Lo que está conectado sigue. Una aplicación que se registra de nuevo con cada persona no obtiene más pacientes.',
  brand: {
    title: 'Cómo los reconocen los pacientes',
    lead: 'Donde ustedes hablan a los pacientes: en la página de consentimiento, la invitación y su inicio de sesión, y en la página propia de quienes participan solo con ustedes. Los correos siguen sencillos.',
    mark: 'Distintivo',
    markHint:
      'Una imagen pequeña: PNG, JPEG o WebP. Se dibuja de nuevo como un cuadrado y aparece junto a su nombre en lugar del nuestro.',
    removeMark: 'Sin distintivo',
    faults: {
      unreadable: 'El navegador no puede leer esta imagen. Elija un PNG, JPEG o WebP.',
      too_large: 'Esta imagen es demasiado grande. Elija otra más sencilla o más pequeña.',
    },
    color: 'Color',
    colorHint: 'De botones, enlaces y signos.',
    removeColor: 'Usar los colores del servicio',
    adjusted: (light, dark) =>
      `Se hace tan oscuro o tan claro como hace falta para leer: ${light} en páginas claras, ${dark} en las oscuras.`,
    schemes: { light: 'Claro', dark: 'Oscuro' },
    sampleTitle: (name) => `${name} le pide su consentimiento`,
    sampleLink: 'Qué se comparte',
    sampleNote: 'No se comparte nada hasta que usted diga que sí.',
    sampleButton: 'Sí, compartirlo',
    save: 'Guardar distintivo y color',
  },
  saved: 'La organización ha cambiado.',
  facts: 'Dado al principio',
  name: 'Nombre',
  id: 'Id de la organización',
  readOnly: 'Su función lee esto; lo cambian propietarios y administradores.',
};
