// Data of the pages of reconciliation. Amounts are text in the currency's decimals, and times ISO texts in UTC.
import type { Answer } from '../guard.ts';
import type { toRow } from './differences.ts';
import type { reportPage, uploadAction } from './reports.ts';
import type { limitsPage, mappingPage } from './settings.ts';

export type DifferenceRow = Answer<typeof toRow>;
export type ReportPage = Answer<typeof reportPage>;
/** A row of the list of reports. */
export type ReportRow = Pick<ReportPage, 'id' | 'name' | 'state' | 'lines' | 'bad' | 'period' | 'createdAt' | 'midId'>;
export type UploadResult = Answer<typeof uploadAction>;
export type MappingPage = Answer<typeof mappingPage>;
export type LimitsPage = Answer<typeof limitsPage>;
