import { describe, expect, it } from 'vitest';
import { readListQuery, readZone, writePlace } from './query';

const read = (text: string, zone = 'UTC') => readListQuery(new URLSearchParams(text), zone);
const id = '0193ac5e-77d1-7000-8000-000000007c1e';

describe('the filters of the address bar', () => {
  it('read what they name', () => {
    const { filter } = read('q=%20NK-1%20&state=settled,3ds,decline&from=2026-11-01&to=2026-11-20');
    expect(filter).toEqual({
      search: 'NK-1',
      states: ['threeds', 'settled', 'declined'],
      from: new Date('2026-11-01T00:00:00Z'),
      until: new Date('2026-11-21T00:00:00Z'),
    });
  });

  it.each(['', 'q=&state=&from=&to=', 'state=paid,THREEDS,toString&from=2026-02-30&to=tomorrow&after=1&before=x.y'])(
    'leave out what means nothing: %j',
    (text) => {
      expect(read(text)).toEqual({ filter: { search: '', states: [], from: null, until: null } });
    },
  );

  it('take days in the zone of the person, also where a day has 23 hours', () => {
    const { filter } = read('from=2026-03-29&to=2026-03-29', 'Europe/Belgrade');
    expect(filter.from).toEqual(new Date('2026-03-28T23:00:00Z'));
    expect(filter.until).toEqual(new Date('2026-03-29T22:00:00Z'));
  });

  it('hold nothing that the database cannot', () => {
    expect(read('q=a%00b').filter.search).toBe('ab');
    expect(read(`q=${'x'.repeat(1000)}`).filter.search).toHaveLength(255);
  });
});

describe('a place in the list', () => {
  const place = { createdAt: new Date('2026-11-20T12:51:08.123Z'), id };

  it('is read as it was written, and after wins over before', () => {
    const text = writePlace(place);
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
