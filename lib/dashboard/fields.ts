/** Fields that several forms of the dashboard have. */
import { z } from 'zod';
import { isUuid } from '../core/ids.ts';

/** The id of a row, as the database stores it: what is hashed and sealed with it is compared as text. */
export const idField = (message?: string) => z.string(message).refine(isUuid, message).toLowerCase();
