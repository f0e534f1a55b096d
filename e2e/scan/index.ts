// The parts of the scan that e2e/scan/scan-cards.mjs puts together.
export { drawPlanted, missed, plant, plantedForms } from './plant';
export { masked, prepareSearch } from './search';
export { drawMarks, drawnNumbers, sendMarked } from './traffic';
export { describe, judgeCodes } from './verdict';
