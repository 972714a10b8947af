/** A medicine that another one of the same tablet has its purpose from: oxycodone/naloxone is for pain. */
export const notWith = (partners: string, drug: string): string =>
  `(?<!(?<![A-Za-z\\d])(?:${partners})(?:[^,;/\\n]{0,40}[/+]|-| comp)[\\s]{0,2})(?<!tilidin[a-z]{0,2} )${drug}(?![^,;/\\n]{0,40}[/+][\\s]{0,2}(?:[0-9.,]{1,5} ?mg )?(?:${partners}))`;
