/** A figure with its target; see benchmark-part.mjs. */
export type Aimed = { value: number | null; least?: number; most?: number };

export function median(values: number[]): number;
export function percentile(sorted: number[], part: number): number | undefined;
export function isReached(figure: Aimed): boolean | null;
