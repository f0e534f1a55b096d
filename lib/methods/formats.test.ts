import { describe, expect, it } from 'vitest';
import { cardSetLines } from './card-sets.ts';
import { credentialLines, parameterLines } from './catalog/lines.ts';
import { methods } from './catalog.ts';
import { formatOf } from './formats.ts';

const written = new Set([
  ...methods.flatMap(({ parameters, payout, fields, credentials }) => [
    ...[parameters, payout, fields].flatMap(parameterLines).map(({ format }) => format),
    ...credentialLines(credentials).map(({ format }) => format),
  ]),
  ...(['checkout', 's2s'] as const).flatMap((protocol) => cardSetLines(protocol).map(({ format }) => format)),
]);

describe('formats in words', () => {
  it.each([...written])('%s has a description and a sample that its check accepts', (format) => {
    const { text, sample, schema, check } = formatOf(format);
    expect(text).not.toBe('');
    expect(check(sample)).toHaveProperty('value');
    const pattern = (schema as { pattern?: string }).pattern;
    if (pattern) expect(sample).toMatch(new RegExp(pattern, 'u'));
  });
});
