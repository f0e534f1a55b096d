/** Protocol mappings as JSON for the browser: limits as text, times in ISO 8601. */
import type { Answer } from '../guard.ts';
import type { mappingPage } from './mappings.ts';

/** One mapping with the further data of its page. */
export type MappingPage = Answer<typeof mappingPage>;

/** Every setting; settings that the protocol does not have are null and cannot be sent. */
export type MappingValues = MappingPage['values'];
