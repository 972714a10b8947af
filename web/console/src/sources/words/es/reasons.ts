import type { SourceWords } from '../en.ts';

export const reasons: SourceWords['reasons'] = {
  not_test_data:
    'El paciente del servidor no está marcado como dato de prueba. Márquelo como HTEST, o deje que la fuente sirva a pacientes reales.',
  nobody_found:
    'El servidor no tiene a nadie así. Compruebe el id externo, el nombre y la fecha de nacimiento de la inscripción.',
  no_external_id: 'La inscripción no tiene id externo. Escríbalo en la página del paciente.',
  no_birth_date:
    'La inscripción no tiene fecha de nacimiento, que hace falta para encontrar a alguien por su nombre. Escríbala en la página del paciente (Corregir).',
  email_differs:
    'El nombre y la fecha de nacimiento coinciden, el correo electrónico no. Pida al hospital o al paciente que lo corrija.',
  several_found:
    'Varias personas del servidor coinciden. Dé a la inscripción el teléfono o el identificador que solo tenga una de ellas. Una fuente que busca solo por nombre y fecha de nacimiento no usa identificadores: haga en su configuración que busque primero por uno.',
  birth_date_differs:
    'La fecha de nacimiento en el servidor es otra. Averigüe cuál está mal: la suya se corrige en la página del paciente; la otra, en el hospital.',
  name_differs:
    'No coinciden ni el apellido ni el correo electrónico. Compruebe que el id externo no sea de otra persona.',
  partial:
    'No llegó todo. Si se nombran tipos de datos, pida sus permisos (scopes) a quien opera el servidor; si no, una parte de lo que envió no se pudo leer.',
  source_paused: 'La fuente está en pausa.',
  no_consent: 'El paciente no consiente ningún proyecto de esta fuente.',
  not_served: 'La fuente sirve al otro tipo de pacientes: los reales, o los de prueba.',
  unreachable:
    'El servidor no responde en su dirección. Compruebe la dirección y el cortafuegos del servidor.',
  tls_failed:
    'No se puede confiar en el certificado del servidor. Quien lo opera debe corregir el certificado o su cadena.',
  timeout: 'El servidor tarda demasiado en responder. Quien lo opera puede ver por qué.',
  malformed_answer:
    'Lo que envía el servidor no es HTTP correcto. Algo delante de él puede cortar las respuestas.',
  unavailable: 'El servidor dice que no está disponible. Se vuelve a intentar.',
  too_many_requests: 'El servidor dice que se le pide demasiado. Se vuelve a intentar más tarde.',
  address_refused: 'La dirección no es https, o no está en la internet pública.',
  redirected:
    'El servidor responde con una redirección, que no se sigue. Escriba la dirección a la que lleva.',
  no_token_endpoint:
    'El servidor no dice dónde iniciar sesión. Escriba la dirección de los tokens en los ajustes.',
  alg_not_supported: 'El servidor no acepta firmas ES384 ni RS384. Pida una de ellas a quien lo opera.',
  token_refused:
    'El servidor no nos deja iniciar sesión. Compruebe el id de cliente, y que el servidor tenga la dirección de nuestras claves.',
  token_malformed:
    'Lo que el servidor responde al iniciar sesión no es un token. Compruebe la dirección de los tokens.',
  unauthorized: 'El servidor no acepta el token. Compruebe el inicio de sesión en los ajustes.',
  forbidden: 'El servidor permite muy poco a este cliente. Pida los permisos (scopes) a quien lo opera.',
  rejected: 'El servidor rechaza la petición. Quien lo opera puede ver por qué.',
  gone: 'No hay nada en esta dirección. Compruebe la dirección base de FHIR.',
  not_fhir: 'Lo que responde en esta dirección no es FHIR. Compruebe la dirección base de FHIR.',
  not_r4: 'El servidor habla otra versión de FHIR que R4. Busque su dirección de R4.',
  operation_outcome: 'El servidor dice que su respuesta está incompleta. Quien lo opera puede ver por qué.',
  answer_too_large: 'Una respuesta del servidor supera 64 MiB. Pida páginas más pequeñas a quien lo opera.',
  too_large: 'El historial es mayor que lo que se puede traer de una vez (1000 MiB).',
  took_too_long: 'Traerlo duró más de media hora.',
  endless_paging: 'Las páginas del servidor se repiten o no terminan. Quien lo opera debe corregirlo.',
  paging_elsewhere: 'Las páginas del servidor llevan a otra dirección, que no se sigue.',
  wrong_patient: 'El servidor envió datos de otra persona. No se guardó nada: avise a quien lo opera.',
  not_stored: 'Lo que se trajo no se pudo guardar. La carga de este paciente dice por qué.',
  internal_error: 'Este servicio falló. Quien lo opera encuentra el fallo en el registro.',
};
