export const screenNames = {
  'choose-password': 'Elegir una contraseña',
  closed: 'La solicitud está cerrada',
  'go-on': 'Seguir con lo elegido antes',
  invitation: 'La invitación',
  leaving: 'De vuelta a la aplicación',
  'next-steps': 'Lo que sigue',
  'not-eligible': 'La aplicación no puede preguntar',
  'not-invited': 'Sin invitación',
  'not-let-in': 'Sin acceso',
  processing: 'Se traen los registros',
  review: 'Lo que se pide',
  'review-short': 'Lo que se pide, en breve',
  'sign-in': 'Inicio de sesión',
  'sign-up': 'Una cuenta nueva',
  'signed-in': 'Sesión iniciada',
  start: 'La primera página',
  'start-signed-in': 'La primera página, con sesión',
  'who-is-this': '¿Es usted?',
} as Readonly<Record<string, string>>;

export const screenActions = {
  shown: 'Mostrada',
  confirm: 'Pulsó: Sí, soy yo',
  allow: 'Pulsó: Permitir',
  'do-not-allow': 'Pulsó: No permitir',
  'no-picture': 'No se pudo guardar una imagen',
  'person-changed': 'Entretanto otra persona había iniciado sesión',
  'content-changed': 'Entretanto habían cambiado los textos del proyecto',
  'consent-changed': 'Entretanto había cambiado lo que se comparte',
  'choices-changed': 'Entretanto se había elegido otra cosa en otra ventana',
  decided: 'Ya se había decidido antes en otra ventana',
  'full-review': 'Hizo falta el formulario largo',
} as Readonly<Record<string, string>>;

export const authorities = {
  parent: 'su padre o su madre',
  guardian: 'su tutor legal',
  'power-of-attorney': 'con un poder notarial',
  other: 'por ley, por otro motivo',
} as Readonly<Record<string, string>>;
