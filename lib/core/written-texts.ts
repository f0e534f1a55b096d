/** Card data where shops and payers write it: removed from texts, custom data and parameters before anything is stored. */
import { holdsCardData, isCardMember, scrubWrittenText, valueName, withoutTracks } from './card-secrets.ts';

/** The members that are texts for people, with and without `payer_` and `payee_`. Order numbers and accounts are not. */
const freeText =
  /^(?:(?:order|payer|payee|card)_)?(?:description|name|first_?name|last_?name|middle_?name|holder|address2?|house_number|city|state|district|zip|post(?:al_?)?code|comment|note|reason|descriptor|channel_id)$/i;

/** In custom data and parameters, names do not tell which members are texts. */
type Zone = 'request' | 'custom' | 'parameters';
type Path = readonly string[];

/** Whether a value is beside card data; asked for doubtful names only. */
type Beside = (value: string) => boolean;

/**
 * A copy of data without card data in its texts for people and in `custom_data`, and the paths of those members. With
 * `shapeOf` the same is done for `parameters`, except for values that have the shape of their path in `parameters`:
 * accounts, identities and the like, which may look like a card number. In both, codes, PINs and tracks are left out.
 */
export function maskFreeText<Data>(
  data: Data,
  shapeOf?: (path: string) => RegExp | undefined,
): { data: Data; masked: string[] } {
  const masked = new Set<string>();
  const oddNames = new Map<string, boolean>();
  const isOdd = (name: string) => {
    const odd = oddNames.get(name) ?? isOddName(name);
    oddNames.set(name, odd);
    return odd;
  };
  const isKept = (value: unknown, zone: Zone, path: Path) =>
    zone === 'parameters' && shapeOf?.(path.slice(1).join('.'))?.test(String(value)) === true;
  const clean = (text: string, path: Path, scrub: (text: string) => string = scrubWrittenText): string => {
    const result = scrub(text);
    if (result !== text) masked.add(reportedPath(path, isOdd));
    return result;
  };
  const copyLeaf = (value: string | number, zone: Zone, path: Path, isBeside: Beside): unknown => {
    const isFree = freeText.test(path.at(-1) ?? '');
    const scrub = (each: string) => scrubWrittenText(each, () => isBeside(each));
    if (zone === 'request') return isFree && typeof value === 'string' ? clean(value, path, scrub) : value;
    const isAccount = isKept(value, zone, path) && !isFree;
    const text = clean(String(value), path, isAccount ? withoutTracks : scrub);
    return text === String(value) ? value : text;
  };
  const copy = (value: unknown, zone: Zone, path: Path, isBeside: Beside): unknown => {
    if (typeof value === 'string' || typeof value === 'number') return copyLeaf(value, zone, path, isBeside);
    if (Array.isArray(value)) {
      const isBesideAny = besideIn(value, isBeside);
      return value.map((inner) => copy(inner, zone, path, isBesideAny));
    }
    return isPlain(value) ? copyMembers(value, zone, path, isBeside) : value;
  };
  const copyMembers = (value: Record<string, unknown>, zone: Zone, path: Path, isBeside: Beside) => {
    const isBesideAny = zone === 'request' ? isBeside : besideIn(value, isBeside);
    const members: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(value)) {
      const place = [...path, name];
      const isSecret =
        zone !== 'request' && isCardMember(valueName(value, name), inner, () => isBesideAny(String(inner)));
      if (isSecret && !isKept(inner, zone, place)) masked.add(reportedPath(place, isOdd));
      else {
        const own = zone === 'request' ? name : clean(name, path);
        members.push([own, copy(inner, zoneOf(zone, place, shapeOf !== undefined), place, isBesideAny)]);
      }
    }
    return Object.fromEntries(members);
  };
  const result = copy(data, 'request', [], besideCodesOf(data)) as Data;
  return masked.size > 0 ? { data: result, masked: [...masked] } : { data, masked: [] };
}

/** A value in an object or a list is beside the card data in it, and beside that around it. */
function besideIn(data: object, isBesideOuter: Beside): Beside {
  let holds: boolean | undefined;
  return (value) => {
    holds ??= holdsCardData(data);
    return holds || isBesideOuter(value);
  };
}

/** The card of a request is beside everything in it, which may be data of a customer: what has its security code counts. */
function besideCodesOf(data: unknown): Beside {
  let codes: Set<string> | undefined;
  return (value) => {
    codes ??= new Set(
      Object.entries(isPlain(data) ? data : {})
        .filter(([name, code]) => isCardMember(name, code, () => false) && /^\d{3,4}$/.test(String(code)))
        .map(([, code]) => String(code)),
    );
    return value.match(/\d+/g)?.some((digits) => codes?.has(digits)) === true;
  };
}

function zoneOf(outer: Zone, path: Path, withParameters: boolean): Zone {
  if (path.at(-1) === 'custom_data') return 'custom';
  return withParameters && path.length === 1 && path[0] === 'parameters' ? 'parameters' : outer;
}

const isOddName = (name: string) => !/^[\w.[\]-]{1,64}$/.test(name) || scrubWrittenText(name) !== name;

// Names that shops choose can contain anything: members are reported up to the first such name.
function reportedPath(path: Path, isOdd: (name: string) => boolean): string {
  const custom = path.indexOf('custom_data') + 1;
  const known = path.slice(0, custom || path.length);
  const odd = known.findIndex(isOdd);
  return known.slice(0, odd < 0 ? known.length : odd).join('.');
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
