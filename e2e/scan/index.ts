// The TypeScript parts of scan-cards.ts.
export { controlForms, drawControls, insertControls, missedControls } from './control-canaries.ts';
export { compareCodes, describe } from './findings.ts';
export { canBeChance, masked, prepareSearch } from './search.ts';
export { drawCanaries, drawnNumbers, sendCanaries } from './traffic.ts';
