/** Why connections fail, by the code that the service puts behind its own words. */
export const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'ahí no escucha nadie'],
  ['ENOTFOUND', 'no hay ninguna máquina con ese nombre'],
  ['EAI_AGAIN', 'el nombre no se puede resolver ahora'],
  ['ETIMEDOUT', 'la máquina no responde'],
  ['EHOSTUNREACH', 'no se llega a la máquina'],
  ['ECONNRESET', 'la conexión se cerró'],
  ['EAUTH', 'el usuario o la contraseña no es correcto'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'su certificado no es de confianza'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'su certificado no es de confianza'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'su certificado no es de confianza: falta el intermedio'],
  ['CERT_HAS_EXPIRED', 'su certificado ha caducado'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'su certificado es de otro nombre'],
]);
