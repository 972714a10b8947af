import type { FaultWords } from '../en/faults.ts';

/** Qué resultó de un intento, y qué hacer. */
export const faults: FaultWords = {
  status: {
    what: 'Respondió con un error.',
    fix: 'Solo un estado de 200 a 299 confirma una entrega. Mire lo que respondió y el registro de su servidor.',
  },
  redirect: {
    what: 'Respondió con una redirección.',
    fix: 'Las redirecciones no se siguen. Registre la dirección a la que lleva.',
  },
  gone: {
    what: 'Respondió 410: no quiere más entregas.',
    fix: 'El webhook queda suspendido hasta que usted lo reanude. Para un fallo pasajero, responda otro estado.',
  },
  deadline: {
    what: 'No respondió en 10 segundos.',
    fix: 'Responda primero y haga el trabajo después. Los 10 segundos incluyen el nombre y el certificado.',
  },
  name_not_resolved: {
    what: 'No se conoce el nombre de su servidor.',
    fix: 'Revise cómo está escrito. Un nombre nuevo puede tardar unas horas en conocerse.',
  },
  connection_failed: {
    what: 'No hubo conexión, o se cortó.',
    fix: 'Revise que el servidor funcione y que un cortafuegos deje entrar a este servicio por ese puerto.',
  },
  tls_failed: {
    what: 'No se aceptó el certificado.',
    fix: 'Puede haber vencido, ser de otro nombre o faltarle el certificado intermedio. Envíe la cadena completa.',
  },
  malformed_answer: {
    what: 'Su respuesta no es HTTP válido.',
    fix: 'Revise que el puerto hable HTTPS, y qué hay entre él y su servidor.',
  },
  invalid_url: { what: 'Esto no es una dirección.', fix: 'Empiece con https:// y el nombre del servidor.' },
  not_https: {
    what: 'La dirección no es https.',
    fix: 'Las entregas van solo a https: tratan de pacientes.',
  },
  credentials_in_url: {
    what: 'La dirección lleva un nombre o una contraseña.',
    fix: 'Quítelos. Las entregas van firmadas; compruebe la firma.',
  },
  host_not_public: {
    what: 'El servidor no está en la internet pública.',
    fix: 'Use el nombre con el que internet conoce su servidor.',
  },
  address_not_public: {
    what: 'El nombre lleva a una dirección privada.',
    fix: 'Use una dirección de la internet pública. Para pruebas en su propio equipo, inicie «chartgate listen».',
  },
};
