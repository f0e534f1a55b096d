import { describe, expect, it } from 'vitest';
import { carryOver } from './settings-form.tsx';

describe('carryOver', () => {
  it('keeps the changes of the user and takes all other stored values', () => {
    const before = { name: 'A', priority: 100, methods: ['card'], texts: { en: 'x', de: 'y' } };
    const now = { name: 'A', priority: 7, methods: ['card', 'blik'], texts: { en: 'x', de: 'z' } };
    const fresh = { name: 'B', priority: 50, methods: ['ideal'], texts: { en: 'w', de: 'y' } };
    expect(carryOver(before, now, fresh)).toEqual({
      name: 'B',
      priority: 7,
      methods: ['card', 'blik'],
      texts: { en: 'w', de: 'z' },
    });
  });

  it('takes members that only the stored values have', () => {
    expect(carryOver<Record<string, object>>({ a: {} }, { a: {} }, { a: { b: '1' } })).toEqual({ a: { b: '1' } });
  });
});
