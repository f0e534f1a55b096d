import type { z } from 'zod';

/**
 * A member that does not determine the outcome: a malformed one is dropped, so that an invalid descriptor does not make
 * a settled payment unknown.
 */
export const ifValid = <Shape extends z.ZodType>(shape: Shape) => shape.nullish().catch(null);
