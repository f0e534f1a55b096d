// The strict parser agrees with JSON.parse on everything that both accept, and rejects ambiguous texts.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digitsIn, type Json, type JsonObject, readJsonObject, textIn } from './json.ts';

/** The equivalent value of JSON.parse. */
function plain(value: Json): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, inner]) => [name, plain(inner)]));
  if (Array.isArray(value)) return value.map(plain);
  return Number((value as { number: string }).number);
}

describe('readJsonObject', () => {
  const texts = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }));
  test.each([undefined, 2])('parses the output of JSON.stringify, indented by %s', (indent) => {
    fc.assert(
      fc.property(texts, (object) => {
        const text = JSON.stringify(object, null, indent);
        const read = readJsonObject(text, 100);
        expect(read && plain(read)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('never accepts what JSON.parse rejects, and never throws', () => {
    const soup = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ue0-1.tfn \n', 'true', 'null', '"a"') });
    fc.assert(
      fc.property(soup, (inner) => {
        const text = `{${inner}}`;
        const read = readJsonObject(text, 100);
        if (read) expect(plain(read)).toEqual(JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  const rows: [read: boolean, name: string, text: string][] = [
    [true, 'an empty object', '{}'],
    [true, 'blanks of all kinds', ' {\t"a"\r:\n1 } '],
    [true, 'a name of an object', '{"__proto__":{"constructor":1}}'],
    [true, 'the maximum depth', '{"a":[{}]}'],
    [false, 'deeper', '{"a":[{"b":{}}]}'],
    [false, 'a list', '[]'],
    [false, 'a text', '"{}"'],
    [false, 'two objects', '{}{}'],
    [false, 'a name twice', '{"a":1,"a":1}'],
    [false, 'a name twice, once escaped', '{"a":1,"\\u0061":1}'],
    [false, 'a comma at the end', '{"a":1,}'],
    [false, 'no comma', '{"a":1 "b":2}'],
    [false, 'a name that is none', '{a:1}'],
    [false, 'single quotes', "{'a':1}"],
    [false, 'a comment', '{/**/}'],
    [false, 'a byte order mark', '\ufeff{}'],
    [false, 'a blank of another kind', '{\u00a0}'],
    [false, 'a line break in a text', '{"a":"\n"}'],
    [false, 'an unknown escape', '{"a":"\\x41"}'],
    [false, 'half a character', '{"a":"\\ud83d"}'],
    [false, 'a leading zero', '{"a":01}'],
    [false, 'a plus', '{"a":+1}'],
    [false, 'NaN', '{"a":NaN}'],
    [false, 'undefined', '{"a":undefined}'],
    [false, 'an open text', '{"a":"'],
  ];
  test.each(rows)('%s: %s', (read, _name, text) => {
    expect(readJsonObject(text, 3) !== null).toBe(read);
  });
});

describe('the fields of an object', () => {
  const object = readJsonObject('{"t":"abc","e":"","n":120,"z":0,"d":1.0,"m":-1,"x":1e2,"b":1234567890123456789}', 2);
  const read = object as JsonObject;
  test('are texts of a length', () => {
    expect(['t', 'e', 'n', 'none'].map((name) => textIn(read, name, 3))).toEqual(['abc', null, null, null]);
    expect(textIn(read, 't', 2)).toBeNull();
  });

  test('are integers as they were written', () => {
    const names = ['n', 'z', 'd', 'm', 'x', 'b', 't', 'none'];
    expect(names.map((name) => digitsIn(read, name))).toEqual(['120', '0', null, null, null, null, null, null]);
  });
});
