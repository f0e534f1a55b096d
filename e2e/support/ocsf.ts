// A strict validator of security events: the attributes of four classes of OCSF 1.8 and of their objects, taken from the
// published schema (github.com/ocsf/ocsf-schema, 1.8.0). An attribute is written as its type, `[]` for an array, `!` if it
// is required, and the values of its enumeration.
import { isIP } from 'node:net';
import schema from './ocsf-1.8.json' with { type: 'json' };

type Definition = { at_least_one?: string[]; attributes: { [name: string]: string } };
const classes = schema.classes as unknown as { [uid: string]: Definition & { category_uid: number } };
const objects = schema.objects as unknown as { [name: string]: Definition };

type Members = { [name: string]: unknown };

/** What is wrong with an event, one text each; empty for a valid one. */
export function ocsfProblems(event: Members): string[] {
  const found = classes[String(event.class_uid)];
  if (!found) return [`class_uid ${event.class_uid} is not in the schema`];
  const problems = membersProblems(event, found, '');
  const expected = {
    category_uid: found.category_uid,
    type_uid: Number(event.class_uid) * 100 + Number(event.activity_id),
  };
  for (const [name, value] of Object.entries(expected)) {
    if (event[name] !== value) problems.push(`${name} is ${event[name]}, not ${value}`);
  }
  if ((event.metadata as Members | undefined)?.version !== schema.version) problems.push('metadata.version');
  if (!(Number(event.time) > 1e12 && Number(event.time) < 1e14)) problems.push('time is not in milliseconds');
  return problems;
}

function membersProblems(value: Members, { attributes, at_least_one: oneOf }: Definition, path: string): string[] {
  const problems = Object.entries(attributes).flatMap(([name, form]) =>
    form.includes('!') && value[name] === undefined ? [`${path}${name} is missing`] : [],
  );
  if (oneOf && !oneOf.some((name) => value[name] !== undefined))
    problems.push(`${path} has none of ${oneOf.join(', ')}`);
  for (const [name, member] of Object.entries(value)) {
    const form = attributes[name];
    if (form === undefined) problems.push(`${path}${name} is not in the schema`);
    else problems.push(...memberProblems(member, form, path + name));
  }
  return problems;
}

function memberProblems(value: unknown, form: string, path: string): string[] {
  const [, type = '', array, , values] = /^(\w+?)(\[\])?(!)?(?:=(.*))?$/.exec(form) ?? [];
  if (array) {
    if (!Array.isArray(value)) return [`${path} is not an array`];
    return value.flatMap((each, place) => memberProblems(each, type, `${path}[${place}]`));
  }
  if (values !== undefined && !values.split(',').includes(String(value)))
    return [`${path} is ${value}, not one of ${values}`];
  if (!type.endsWith('_t')) return objectProblems(value, type, path);
  return isOfType(value, type) ? [] : [`${path} is no ${type}: ${JSON.stringify(value)}`];
}

function objectProblems(value: unknown, type: string, path: string): string[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [`${path} is no object`];
  // `object` is any object.
  if (type === 'object') return [];
  const definition = objects[type];
  return definition ? membersProblems(value as Members, definition, `${path}.`) : [`${path}: unknown object ${type}`];
}

function isOfType(value: unknown, type: string): boolean {
  if (/^(integer|long|timestamp)_t$/.test(type)) return Number.isSafeInteger(value);
  if (type === 'boolean_t') return typeof value === 'boolean';
  if (type === 'json_t') return true;
  if (typeof value !== 'string') return false;
  if (type === 'ip_t') return isIP(value) !== 0;
  return type !== 'email_t' || /^[\w!#$%&'*+/=?^`{|}~.-]+@[a-zA-Z0-9-]+\.[a-zA-Z0-9-.]+$/.test(value);
}
