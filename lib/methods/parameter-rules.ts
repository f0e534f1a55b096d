/**
 * Rules of a few methods over several parameters, which a table cannot express (interface.md, Method-specific
 * parameters). A rule may also change values: some apply only together with others.
 */
import { type FieldError, fieldErrorTexts } from '../core/errors.ts';

type Rule = (values: Record<string, unknown>, path: string) => FieldError[];

const numbers: { readonly [type: string]: RegExp } = {
  DNI: /^[0-9]{8}$/,
  CE: /^[A-Za-z0-9]{6,12}$/,
  PAS: /^[A-Za-z0-9]{5,12}$/,
  RUC: /^(10|15|16|17|20)[0-9]{9}$/,
};

const rules: { readonly [id: string]: Rule } = {
  // Peru: the number has the format of its document type.
  'smlpz-out-peru': ({ idType, identity }, path) => {
    const form = numbers[String(idType)];
    const isInvalid = form !== undefined && typeof identity === 'string' && !form.test(identity);
    return isInvalid ? [{ path: `${path}.identity`, text: fieldErrorTexts.notValid }] : [];
  },
  // Only USDT exists on both networks; the default is eth.
  awcc: (values) => {
    if (values.crypto_type === 'USDT') values.network_type ??= 'eth';
    else delete values.network_type;
    return [];
  },
  // A file without a name is ignored.
  'yo-uganda-limited': (values) => {
    if (values.NarrativeFileName === undefined) delete values.NarrativeFileBase64;
    return [];
  },
};

const none: Rule = () => [];

/** The rule of a method; most methods have none. */
export function ruleOf(id: string): Rule {
  return rules[id] ?? none;
}
