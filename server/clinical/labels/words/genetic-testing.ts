import type { ClassWords } from './word-table.ts';

const GENES =
  'genes?|germ~line|MLH1|MSH[26]|PMS2|CFTR|JAK2|HFE|APOE|TP53|PALB2|CHEK2|ATM|PTEN|KRAS|NRAS|BRAF|PIK3CA|FLT3|NPM1|MTHFR|HBB|SMN1|FMR1|DMD';
const FINDINGS = 'mutation|variant|sequenc|test|gene|genotyp|deletion|duplication|analys|panel';

/** A disease is no test of the genes; what only such a test finds is. */
export const GENETIC_TESTING_WORDS: ClassWords = {
  words: [
    '(?<!/)genetics(?![/-])|genetic (?:test*|screen*|counsel*|analys*|variant*|mutation*|carrier*|predisposition|susceptib*|risk|profil*|report|stud(?:y|ies)|panel|marker*|disease|disorder|condition|abnormal*|syndrome|result*|consult*|evaluation|referral|work~up|cause|defect|cancer)',
    'genetic[oa]s?|genomic*|genome|genoma|genotyp*|genotipo|genotipad*|genotipific*|pharmacogen*|farmacogen*|exome|exoma|haplotyp*|haplotipo|diplotyp*',
    'BRCA~[12]?|karyotyp*|cariotipo|chromosom[a-z]+ (?:analys*|microarray|stud*|abnormal*|test*)|(?:analisis|estudio|anomalias?|alteracion(?:es)?) cromosomic[oa]s?|cytogenet*|citogenet*|aneuploid*|trisom(?:y|ia) [0-9]{1,2} (?:screen|risk|test|low|high|detected|not|positive|negative)*|(?:risk of|screen(?:ing)? for) trisom*|microdelet*|microdelec*',
    ...GENES.split('|').map((gene) => `${gene} (?:${FINDINGS})*`),
    '(?:mutacion|mutaciones) (?:de|del|en|germinal|somatica|patogenica|puntual|tumoral|genica)*|mutations? (?:analysis|detected|found|positive|negative|carrier|status|identified|testing)|variants? of (?:uncertain|unknown) significance|variante (?:patogenica|de significado)',
    'EGFR (?:mutation|variant|sequenc|gene|genotyp|deletion|duplication)*|(?:KRAS|NRAS|BRAF|JAK2|CFTR|HFE|MTHFR) (?:carrier|positive|negative|status|wild type)|(?:pathogenic|somatic|point) (?:mutation|variant)*|factor v (?:de )?leiden|(?:factor II|factor V|prothrombin) (?:mutation|variant|gene|genotyp)*|prothrombin G20210A|G20210A|V617F|C677T|HLA B~(?:[*]~)?(?:57:?01|15:?02|58:?01)|CYP(?:2D6|2C19|2C9|3A5) (?:genotyp|metaboli[sz]er|phenotyp|poor|intermediate|rapid|normal|[*])*|(?:poor|rapid|ultra~rapid|intermediate) metaboli[sz]ers?|metaboli[sz]er status',
    'lynch syndrome|sindrome de lynch|huntington.?s? (?:disease|chorea)|enfermedad de huntington|corea de huntington|li fraumeni|hereditary (?:cancer|breast|nonpolyposis|non polyposis)*|HNPCC|carrier (?:screen*|test*|status)|gene carrier|portador* (?:de (?:la |una )?mutacion*|del gen|genetic[oa])|pruebas? de portador*',
    'DNA (?:analysis|sequencing|test*|change|stool)|(?:pruebas?|analisis|test|estudio) (?:de|del) ADN|cell free (?:fetal )?DNA|cfDNA|next gen(?:eration)? sequenc*|secuenciacion (?:genica|masiva|del|de nueva|genomica)*|SNP (?:array|test|genotyp)*|comparative genomic*|mutational analysis|molecular (?:tumor )?profil*|23andme|ancestry~dna|oncotype|mammaprint|guardant*|foundation~one|invitae|non~invasive prenatal|prueba prenatal no invasiva',
  ],
  exact: ['NIPT|NIPS|VUS|NGS|WES|WGS|aCGH|PGx', 'EGFR (?:test|analys|panel)*'],
};
