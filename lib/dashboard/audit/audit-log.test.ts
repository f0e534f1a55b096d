import { expect, it } from 'vitest';
import { auditLog } from './audit-log.ts';

it.each([
  ['payment.', ['payment.']],
  [Array(10).fill('a').join(), [Array(10).fill('a').join()]],
  [Array(11).fill('a').join(), []],
  ['a'.repeat(61), []],
])('the filter for actions reads ten at most: %s', (what, read) => {
  const filter = auditLog.filters.find(({ name }) => name === 'what');
  expect(filter?.read(new URLSearchParams({ what }))).toEqual(read);
});
