import { afterAll, describe, expect, it, vi } from 'vitest';
import { compileSql } from './named-parameters.ts';

const sent: { name: string; text: string; values: unknown[] | undefined }[] = [];
vi.doMock('./db', () => {
  const run = async (name: string, text: string, values?: unknown[]) => {
    sent.push({ name, text, values });
    return name === 'test-step-set' ? [{ id: 'c' }, { id: 'a' }] : [{ 'a.id': '1' }];
  };
  return { query: run };
});
vi.doMock('./reads', () => ({
  queryOnce: async (text: string, values?: object) => {
    sent.push({ name: '', text, values: [values] });
    return [];
  },
}));

// The module may have been loaded with the real database by another file.
vi.resetModules();
const { entity, rowSet, rowStep, statement, unprepared } = await import('./statement.ts');
afterAll(() => {
  vi.doUnmock('./db');
  vi.doUnmock('./reads');
  vi.resetModules();
});

describe('statement', () => {
  it('runs the compiled text with the values in order', async () => {
    const find = statement<{ id: string; at: Date }, { 'a.id': string }>('test-find', 'select :at, :id, :at');
    const at = new Date(0);
    expect(await find({ id: 'x', at })).toEqual([{ 'a.id': '1' }]);
    expect(sent.at(-1)).toEqual({ name: 'test-find', text: 'select $1, $2, $1', values: [at, 'x'] });
  });

  it('runs in an enclosing database transaction', async () => {
    const run = vi.fn().mockResolvedValue([]);
    await statement<{ id: string }>('test-within', 'select :id')({ id: 'x' }, run);
    expect(run).toHaveBeenCalledWith('test-within', 'select $1', ['x']);
  });

  it('refuses two texts under one name', () => {
    statement('test-named', 'select 1');
    expect(() => statement('test-named', 'select 1')).not.toThrow();
    expect(() => statement('test-named', 'select 2')).toThrow('two statements have the name test-named');
  });

  it('has a text of its own for sets of one row, which PostgreSQL plans for one row', async () => {
    const things = rowSet('things', 'id uuid');
    const more = rowSet('more', 'id uuid');
    const read = statement<{ things: string; more: string }>('test-sets', `select 1 from ${things.from}, ${more.from}`);
    const one = [{ id: 'a' }];
    await read({ things: things.encode(one), more: more.encode(one) });
    expect(sent.at(-1)).toEqual({
      name: 'test-sets',
      text: 'select 1 from json_to_record($1::json) as things(id uuid), json_to_record($2::json) as more(id uuid)',
      values: ['{"id":"a"}', '{"id":"a"}'],
    });
    await read({ things: things.encode(one), more: more.encode([...one, { id: 'b' }]) });
    expect(sent.at(-1)).toEqual({
      name: 'test-sets-set',
      text: 'select 1 from json_to_recordset($1::json) as things(id uuid), json_to_recordset($2::json) as more(id uuid)',
      values: ['[{"id":"a"}]', '[{"id":"a"},{"id":"b"}]'],
    });
  });

  it('without a name is not prepared', async () => {
    await unprepared<{ id: string }, object>('select :id')({ id: 'x' });
    expect(sent.at(-1)).toEqual({ name: '', text: 'select :id', values: [{ id: 'x' }] });
  });
});

describe('rowSet', () => {
  const rows = rowSet(
    'things',
    `id uuid, amountMinor bigint, dueAt timestamptz, digest bytea, facts jsonb, methods text[], kind "Kind",
     done bool, seconds float8`,
  );
  const empty = {
    id: null,
    amountMinor: null,
    dueAt: null,
    digest: null,
    facts: null,
    methods: null,
    kind: null,
    done: null,
    seconds: null,
  };
  const encoded = (row: Partial<Parameters<typeof rows.encode>[0][number]>) =>
    JSON.parse(rows.encode([{ ...empty, ...row }]));

  it('is an item of a FROM clause with the columns in snake case', () => {
    expect(rows.from).toBe(
      'json_to_recordset(:things::json) as things(id uuid, amount_minor bigint, due_at timestamptz, digest bytea, ' +
        'facts jsonb, methods text[], kind "Kind", done bool, seconds float8)',
    );
    expect(compileSql(`select * from ${rows.from}`).names).toEqual(['things']);
  });

  it('has one column for a member of two joined lists', () => {
    const [common, more] = ['id uuid, at timestamptz', 'at timestamptz, state text'] as const;
    expect(rowSet('joined', `${common}, ${more}`).from).toMatch(/joined\(id uuid, at timestamptz, state text\)$/);
  });

  it('encodes rows in their order, and none', () => {
    const ids = JSON.parse(
      rows.encode([
        { ...empty, id: 'b' },
        { ...empty, id: 'a' },
      ]),
    ).map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['b', 'a']);
    expect(rows.encode([])).toBe('[]');
  });

  it('encodes the values of each type', () => {
    const row = {
      id: '7b1c',
      amountMinor: 9_007_199_254_740_993n,
      dueAt: new Date('2026-01-02T03:04:05.678Z'),
      digest: new Uint8Array([0, 15, 255]),
      methods: ['card', 'a,"b"'],
      kind: 'sale',
      done: false,
      seconds: 0.25,
    };
    expect(encoded(row)).toMatchObject({
      id: '7b1c',
      amount_minor: '9007199254740993',
      due_at: '2026-01-02T03:04:05.678Z',
      digest: '\\x000fff',
      methods: ['card', 'a,"b"'],
      kind: 'sale',
      done: false,
      seconds: 0.25,
    });
    expect(encoded({ digest: Buffer.from('a1', 'hex') }).digest).toBe('\\xa1');
  });

  it.each([['a text'], [['a', 1]], [{ deep: { list: [null] } }], [0], [false]])(
    'encodes the JSON value %j',
    (facts) => {
      expect(encoded({ facts }).facts).toEqual(facts);
    },
  );

  it('encodes null and an absent value as no value', () => {
    expect(encoded({ facts: null, id: undefined })).toEqual({});
  });

  it('replaces an unpaired surrogate, as pg does', () => {
    expect(encoded({ id: 'a\ud800b' }).id).toBe('a\ufffdb');
    expect(encoded({ id: '\ud83d\ude00' }).id).toBe('\ud83d\ude00');
  });

  it('ignores members that are not listed', () => {
    expect(encoded({ ...{ other: 1 }, id: 'x' })).not.toHaveProperty('other');
  });
});

describe('rowStep', () => {
  const step = rowStep('test-step', 'state text', (from) => `update things t set state = i.state from ${from}`);

  it('answers the rows in their order, and sends the first of an id', async () => {
    const rows = [
      { id: 'A', state: '1' },
      { id: 'b', state: '2' },
      { id: 'c', state: '3' },
      { id: 'a', state: '4' },
    ];
    expect(await step(rows)).toEqual([{ id: 'a' }, null, { id: 'c' }, null]);
    const values = JSON.parse(String(sent.at(-1)?.values?.[0])) as { id: string; state: string }[];
    expect(new Map(values.map(({ id, state }) => [id.toLowerCase(), state]))).toEqual(
      new Map([
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ]),
    );
    expect(sent.at(-1)?.text).toContain('from json_to_recordset($1::json) as i(id uuid, state text)');
  });
});

describe('entity', () => {
  type Thing = { id: string; dueAt: Date | null; kind: string; seconds: number };
  const things = entity<Thing>()('a', 'id, dueAt, kind::text, seconds', {
    seconds: 'extract(epoch from a.due_at)::float8',
  });

  it('lists its columns under the alias, and expressions as they are', () => {
    expect(things.columns).toBe(
      'a.id as "a.id", a.due_at as "a.dueAt", a.kind::text as "a.kind", extract(epoch from a.due_at)::float8 as "a.seconds"',
    );
  });

  it('is read from its columns of a row', () => {
    const row = { 'a.id': '1', 'a.dueAt': null, 'a.kind': 'sale', 'a.seconds': 2, 'b.id': '9' };
    expect(things.read(row)).toEqual({ id: '1', dueAt: null, kind: 'sale', seconds: 2 });
  });
});
