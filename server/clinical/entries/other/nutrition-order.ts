import { formatAnnotations } from '../annotation.ts';
import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { getPath, joinPresent, readText, toElement, toElements, type Element } from '../element.ts';
import { formatQuantity, formatRatio } from '../quantity.ts';
import { resolveDisplay } from '../reference.ts';
import { formatTiming } from '../timing.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** Names the diet, the supplements and the formula that are ordered, and what must not be given. */
export function describeNutritionOrder(input: EntryInput): Description {
  const { resource } = input;
  const diet = toElement(resource['oralDiet']);
  const formula = toElement(resource['enteralFormula']);
  const supplements = toElements(resource['supplement']);
  const names = [
    ...formatConcepts(diet?.['type']),
    ...supplements.map(nameProduct),
    formula && (formatConcept(formula['baseFormulaType']) ?? readText(formula['baseFormulaProductName'])),
  ];
  const excluded = joinPresent(formatConcepts(resource['excludeFoodModifier']), ', ');
  const preferred = joinPresent(formatConcepts(resource['foodPreferenceModifier']), ', ');
  const orderer = resolveDisplay(resource['orderer'], input);
  const lines = [
    excluded && `Not to contain: ${excluded}`,
    preferred && `Prefers: ${preferred}`,
    ...listDiet(diet),
    ...supplements.map(formatSupplement),
    ...listFormula(formula),
    orderer && `Requested by: ${orderer}`,
    formatAnnotations(resource['note']),
  ];
  const title = joinPresent(names, ', ');
  return {
    title: title === null ? null : `Nutrition order: ${title}`,
    text: joinPresent(lines, '\n'),
  };
}

const nameProduct = (supplement: Element): string | null =>
  formatConcept(supplement['type']) ?? readText(supplement['productName']);

function listDiet(diet: Element | null): (string | null)[] {
  if (diet === null) return [];
  const textures = toElements(diet['texture']).map((each) =>
    joinPresent([formatConcept(each['modifier']), formatConcept(each['foodType'])], ' '),
  );
  const nutrients = toElements(diet['nutrient']).map((each) =>
    joinPresent([formatConcept(each['modifier']), formatQuantity(each['amount'])], ' '),
  );
  return [
    joinPresent(textures, ', '),
    joinPresent(nutrients, ', '),
    joinPresent(formatConcepts(diet['fluidConsistencyType']), ', '),
    ...toElements(diet['schedule']).map(formatTiming),
    readText(diet['instruction']),
  ];
}

const formatSupplement = (supplement: Element): string | null =>
  joinPresent(
    [
      nameProduct(supplement),
      formatQuantity(supplement['quantity']),
      ...toElements(supplement['schedule']).map(formatTiming),
      readText(supplement['instruction']),
    ],
    ', ',
  );

function listFormula(formula: Element | null): (string | null)[] {
  if (formula === null) return [];
  const most = formatQuantity(formula['maxVolumeToDeliver']);
  const feeds = toElements(formula['administration']).map((each) =>
    joinPresent(
      [
        formatQuantity(each['quantity']),
        formatQuantity(each['rateQuantity']) ?? formatRatio(each['rateRatio']),
        formatTiming(each['schedule']),
      ],
      ' ',
    ),
  );
  return [
    joinPresent([formatConcept(formula['additiveType']), readText(formula['additiveProductName'])], ' '),
    formatQuantity(getPath(formula, 'caloricDensity')),
    formatConcept(formula['routeofAdministration']),
    ...feeds,
    most && `at most ${most}`,
    readText(formula['administrationInstruction']),
  ];
}
