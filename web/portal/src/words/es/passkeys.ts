import type { Words } from '../en.ts';

/** Signing in without a password, and what belongs to it. */
export const passkeys: Words['myData']['passkeys'] = {
  lead: 'Con una llave de acceso entra con su huella, su rostro o el bloqueo de su pantalla. Nadie puede adivinarla ni usted puede revelarla por error.',
  yours: 'Sus llaves de acceso',
  none: 'Todavía no tiene ninguna llave de acceso.',
  createdOn: (day) => `Creada el ${day}`,
  used: (day) => `Usada por última vez el ${day}`,
  neverUsed: 'Aún sin usar',
  add: 'Añadir una llave de acceso',
  name: 'Nombre de la llave de acceso',
  nameHint: 'Para reconocerla más tarde, por ejemplo «Mi teléfono»',
  nameMissing: 'Dé un nombre a la llave de acceso',
  create: 'Crear la llave de acceso',
  notNow: 'Ahora no',
  onThis: (device) => `Mi ${device}`,
  devices: {
    phone: 'teléfono',
    tablet: 'tableta',
    computer: 'computadora',
  },
  added: (name) => `Ahora puede iniciar sesión con «${name}».`,
  cancelled: 'No se creó ninguna llave de acceso. Puede intentarlo de nuevo cuando quiera.',
  known: 'Este dispositivo ya tiene una llave de acceso para su cuenta, o usted ya tiene veinte.',
  failed: 'Su dispositivo no pudo crear una llave de acceso. Inténtelo de nuevo o use otro dispositivo.',
  remove: 'Quitar',
  removeTitle: (name) => `¿Quitar «${name}»?`,
  removeText:
    'Ya no podrá iniciar sesión aquí con ella, y se cerrará la sesión en los demás navegadores. Puede que siga en la lista de su dispositivo; elimínela también allí.',
  yesRemove: 'Sí, quitarla',
  keep: 'Conservarla',
  removed: (name) => `Se quitó «${name}».`,
  signInAgain:
    'Por su seguridad, debemos comprobar que sigue siendo usted. Cierre la sesión, inicie sesión otra vez y añada después la llave de acceso.',
  testPatient: 'Esta es una cuenta de prueba. No tiene llaves de acceso.',
  notAvailable:
    'Las llaves de acceso no funcionan en esta dirección del servicio. Inicie sesión con su contraseña.',
  unsupportedBrowser:
    'Este navegador no conoce las llaves de acceso. Inicie sesión con su contraseña o use un navegador más nuevo.',
  withPassword: 'Su contraseña',
  passwordText: 'También puede iniciar sesión con su contraseña.',
};
