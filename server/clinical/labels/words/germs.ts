/** Whose genes no person has: "HCV genotype 1a", "MRSA carrier status", "rpoB gene mutation". */
const GERMS =
  '(?:hepatitis (?:viruses|virus|[a-e])|hep [a-e]|H[ABCDE]V|VH[ABCDE]|HIV|VIH|HTLV|HPV|VPH|CMV|EBV|VEB|HSV|VHS|VZV|RSV|VRS|BKV|JCV|virus|viral|vir(?:ic|al)[oa]s?|[a-z]{3,12}virus|papilloma~virus|influenza|flu|sars|SARS~CoV~2|covid~19|covid|MRSA|MSSA|SARM|VRE|ESBL|CRE|KPC|NDM|GBS|EGB|staph[a-z]{0,14}|estafilo[a-z]{0,14}|strep[a-z]{0,14}|estreptoco[a-z]{0,14}|group [abcg]|grupo b|tubercul[a-z]{1,14}|TB|MTB|mycobacteri[a-z]{1,14}|micobacteri[a-z]{1,14}|rpoB|katG|inhA|gyrA|van[AB]|mecA|mecC|bacteri[a-z]{0,14}|microb[a-z]{1,14}|pathogens?|organisms?|isolates?|e[.]? coli|klebsiella|salmonella|typhoid|shigella|listeria|pseudomonas|acinetobacter|clostrid[a-z]{1,14}|c[.]? diff[a-z]{0,14}|candida|aspergill[a-z]{1,14}|helicobacter|h[.]? pylori|legionella|chlamydia|trachomatis|gonorrh[a-z]{1,14}|meningococ[a-z]{1,14}|pertussis|diphtheria|enterococ[a-z]{1,14}|measles|rubella|mumps|dengue|zika|malaria|plasmodium|toxoplasma|(?:antibiotic|antimicrobial|antiviral|rifamp[a-z]{0,14}|isoniazid|vancomycin|methicillin|macrolide|carbapenem[a-z]{0,14}) resistan(?:ce|t)|toxins?)';

/** Between a germ and its genes stand a few words, and no other subject. */
const BEFORE = `(?<!(?<![A-Za-z\\d])${GERMS}(?:[\\s_/-]{1,3}(?!(?:and|or|with|plus|to|for|who|has|had|in|on|is|was|patients?|referred|y|e|o|con|para|en) )[A-Za-z\\d\\(\\)]{1,20}){0,4}[,:\\)]?[\\s_/-]{1,3})`;
const BEHIND = `(?!(?:[\\s:\\(-]{1,3}(?:of|for|in|by|the|del?|la|el|para|por|testing|analysis|test|status|screen|screening|sequencing|isolates?|subtype|typing|study)){0,4}[\\s:\\(-]{1,3}${GERMS}(?![A-Za-z\\d]))`;

/** Words of genetics where nothing near them says that they are of a germ. */
export const ofPerson = (words: string): string => `${BEFORE}(?:${words})${BEHIND}`;
