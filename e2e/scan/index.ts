// The parts of the scan that e2e/scan/scan-cards.mjs puts together.
export { controlForms, drawControls, insertControls, missedControls } from './control-canaries';
export { compareCodes, describe } from './findings';
export { masked, prepareSearch } from './search';
export { drawCanaries, drawnNumbers, sendCanaries } from './traffic';
