// The TypeScript parts of scan-cards.mjs.
export { controlForms, drawControls, insertControls, missedControls } from './control-canaries';
export { compareCodes, describe } from './findings';
export { masked, prepareSearch } from './search';
export { drawCanaries, drawnNumbers, sendCanaries } from './traffic';
