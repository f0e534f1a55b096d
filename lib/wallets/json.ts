// Parses JSON strictly. JSON.parse alone accepts duplicate names and converts amounts to floating-point numbers; a
// signed text must have one interpretation, and numbers keep their digits.
import { repeatedName } from '../core/json.ts';

/** An object is a map, so that no name can collide with the prototype. */
export type JsonObject = ReadonlyMap<string, Json>;
export type JsonNumber = { readonly number: string };
export type Json = string | boolean | null | JsonNumber | readonly Json[] | JsonObject;

const quotedText = /"(?:[^"\\]|\\.)*"/g;

/**
 * The object in `text`, or null if it is not a JSON object, nests deeper than `depthMax` (the object itself is 1),
 * repeats a name within one object, or contains an unpaired surrogate.
 */
export function readJsonObject(text: string, depthMax: number): JsonObject | null {
  const strict = (name: string, value: unknown, context?: { source?: string }): Json => {
    if (!name.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) throw new SyntaxError();
    if (typeof value === 'number') return { number: context?.source ?? '' };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value as Json;
    return new Map(Object.entries(value as { [name: string]: Json }));
  };
  try {
    const value = JSON.parse(text, strict) as Json;
    const marks = text.replace(quotedText, '');
    return isObject(value) && depthOf(marks) <= depthMax && repeatedName(text) === null ? value : null;
  } catch {
    return null;
  }
}

function depthOf(marks: string): number {
  let depth = 0;
  let most = 0;
  for (const [mark] of marks.matchAll(/[[\]{}]/g)) {
    depth += mark === '[' || mark === '{' ? 1 : -1;
    most = Math.max(most, depth);
  }
  return most;
}

/** Whether a value is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map;
}

/** The text under a name if it has 1 to `most` characters, otherwise null. */
export function textIn(object: JsonObject, name: string, most: number): string | null {
  const value = object.get(name);
  return typeof value === 'string' && value.length > 0 && value.length <= most ? value : null;
}

/** The digits of a non-negative integer under a name; null for anything else. */
export function digitsIn(object: JsonObject, name: string): string | null {
  const value = object.get(name);
  if (typeof value !== 'object' || value === null || !('number' in value)) return null;
  return /^(?:0|[1-9]\d{0,17})$/.test(value.number) ? value.number : null;
}
