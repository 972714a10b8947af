/** What the types of a consent are called, wherever the console names one. */
export const consentTypes = {
  en: {
    PATIENT_DIRECTED_DATA_EXCHANGE: 'Apps of the patient',
    DATA_AUTHORIZATION: 'Reading by your organization',
    FUTURE_DATA_USE: 'Use in later research',
  },
  es: {
    PATIENT_DIRECTED_DATA_EXCHANGE: 'Aplicaciones del paciente',
    DATA_AUTHORIZATION: 'Lectura por su organización',
    FUTURE_DATA_USE: 'Uso en investigaciones futuras',
  },
};
