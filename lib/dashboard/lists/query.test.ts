import { describe, expect, it } from 'vitest';
import { encodeCursor, readCursors, readZone, storedQuery } from './query.ts';

const read = (text: string) => readCursors(new URLSearchParams(text));
const id = '0193ac5e-77d1-7000-8000-000000007c1e';

describe('a cursor', () => {
  const place = { createdAt: new Date('2026-11-20T12:51:08.123Z'), id };

  it('is read as written, and after takes precedence over before', () => {
    const text = encodeCursor(place);
    expect(read(`after=${text}`)).toMatchObject({ after: place });
    expect(read(`before=${text}`)).toMatchObject({ before: place });
    expect(read(`after=${text}&before=${text}`)).not.toHaveProperty('before');
  });

  it.each([`9999999999999999.${id}`, `-1.${id}`, `1.${id}x`, '1.2.3', `1e3.${id}`])('is not %s', (text) => {
    expect(read(`after=${encodeURIComponent(text)}`)).not.toHaveProperty('after');
  });
});

describe('a time zone', () => {
  it.each([
    ['Europe/Belgrade', 'Europe/Belgrade'],
    [undefined, 'UTC'],
    ['', 'UTC'],
    ['Mars/Olympus', 'UTC'],
    ['x'.repeat(100), 'UTC'],
  ])('%s is %s', (name, wanted) => {
    expect(readZone(name)).toBe(wanted);
  });
});

it('a stored query is shortened, and has no card number', () => {
  expect(storedQuery(new URLSearchParams({ q: '4111111111111111', state: 'settled' }))).toBe(
    'q=411111******1111&state=settled',
  );
  const long = new URLSearchParams(Array.from({ length: 5000 }, (_, at) => [`name-${at}`, '']));
  long.set('name-0', 'x'.repeat(16_000));
  const pairs = [...new URLSearchParams(storedQuery(long))];
  expect([pairs.length, pairs[0]]).toEqual([40, ['name-0', 'x'.repeat(1000)]]);
});
