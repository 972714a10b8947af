/** Whose genes no person has: "HCV genotype 1a", "MRSA carrier status", "rpoB gene mutation". */
const GERMS =
  '(?:hepatitis (?:viruses|virus|[a-e])|hep [a-e]|H[ABCDE]V|VH[ABCDE]|HIV|VIH|HTLV|HPV|VPH|CMV|EBV|VEB|HSV|VHS|VZV|RSV|VRS|BKV|JCV|virus|viral|vir(?:ic|al)[oa]s?|[a-z]{3,12}virus|papilloma~virus|influenza|flu|sars|SARS~CoV~2|covid~19|covid|MRSA|MSSA|SARM|VRE|ESBL|CRE|KPC|NDM|GBS|EGB|staph[a-z]{0,14}|estafilo[a-z]{0,14}|strep[a-z]{0,14}|estreptoco[a-z]{0,14}|group [abcg]|grupo b|tubercul[a-z]{1,14}|TB|MTB|mycobacteri[a-z]{1,14}|micobacteri[a-z]{1,14}|rpoB|katG|inhA|gyrA|van[AB]|mecA|mecC|tcd[A-C]|bacteri[a-z]{0,14}|fung(?:al|i|us)|fungic[oa]s?|hongos?|yeasts?|parasit[a-z]{1,9}|protozoa[a-z]{0,3}|microb[a-z]{1,14}|pathogens?|organisms?|isolates?|e[.]? coli|klebsiella|salmonella|typhoid|shigella|listeria|pseudomonas|acinetobacter|clostrid[a-z]{1,14}|c[.]? diff[a-z]{0,14}|candida|aspergill[a-z]{1,14}|helicobacter|h[.]? pylori|legionella|chlamydia|trachomatis|gonorrh[a-z]{1,14}|meningococ[a-z]{1,14}|pertussis|diphtheria|enterococ[a-z]{1,14}|measles|rubella|mumps|dengue|zika|malaria|plasmodium|toxoplasma|(?:antibiotic|antimicrobial|antiviral|rifamp[a-z]{0,14}|isoniazid|vancomycin|methicillin|macrolide|carbapenem[a-z]{0,14}) resistan(?:ce|t)|carbapenemases?|(?:beta[ -]?)?lactamases?|toxins?)';

/** Within a line: what stands in the next one is another subject. */
const GAP = '[\\x20\\t\\xa0_/-]{1,3}';

/** What may stand between a germ and its genes, as in names of tests; any other word is of another subject. */
const OF_GERM =
  '(?:virus(?:es)?|viral|infections?|infeccion|chronic|acute|cronica|RNA|DNA|cDNA|PCR|NAAT|NAT|strains?|isolates?|culture|cultivo|drug|antiviral|antibiotic|antimicrobial|resistan(?:ce|t)|resistencia|susceptibility|genotypic|phenotypic|(?:sub|sero|geno)?types?|genes?|serogroup|group|lineage|variants?|complex|whole|surveillance|nasal|nares|rectal|toxins?|proteins?|capsid|proteases?|polymerase|integrase|reverse|transcriptase|hemagglutinin|neuraminidase|envelope|spike|plasma|serum|blood|quantitative|qualitative|aureus|agalactiae|pneumoniae|pyogenes|difficile|trachomatis|humano|respiratorio|(?:de )?la|[a-z]|[a-z]?[0-9]{1,2}[a-z]?|h[0-9]{1,2}n[0-9]|UL[0-9]{2}|NS[0-9][AB]?|\\((?:H[ABCDE]V|VH[ABCDE]|HIV|VIH|HPV|CMV|EBV|HSV|RSV|MRSA|GBS|TB)\\))';

/** Behind a comma, a colon or parentheses stands the number of a germ's type, and nothing else of it: "hepatitis C, genotype 1a". */
const NUMBERED = '(?:,|:|\\)){1,2}(?=[\\x20\\t]{1,3}genot[iy]p[eo] ?[1-8][a-z]?(?![a-z0-9]))';

const BEFORE = `(?<!(?<![A-Za-z\\d])${GERMS}(?:${GAP}${OF_GERM}){0,4}(?:${NUMBERED})?${GAP})`;

/** What is said of a germ, or of a disease that another one caused, and not of genes. */
const OTHER_SUBJECT =
  '[\\s-]{1,3}(?:shots?|vaccin[a-z]*|vacun[a-z]*|immun[a-z]*|booster|given|declined|neg(?:ative)?|pos(?:itive)?|related|like|associated|induced)';
const TESTED = `(?:${GAP}(?:testing|analysis|test|status|screen|screening|sequencing|subtype|typing|study|isolates?)){0,2}`;
const BEHIND = `(?!${TESTED}(?:${GAP}(?:of|for|in|del?|para)(?:${GAP}(?:the|la|el))?${GAP}|${GAP}\\(?)${GERMS}(?![A-Za-z\\d]|${OTHER_SUBJECT}))`;

/** Words of genetics where nothing near them says that they are of a germ: which is asked only where such a word stands. */
export const ofPerson = (...words: readonly string[]): string =>
  words.map((word) => `(?<=(?=${word}))${BEFORE}${word}${BEHIND}`).join('|');
