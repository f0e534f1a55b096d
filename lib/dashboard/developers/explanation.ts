/** Renders a diagnosis of a hash. The password is shown as dots, the right hash in full only to users who may sign. */

import { may, type Viewer } from '../../auth/index.ts';
import { env } from '../../config/index.ts';
import { diagnose, digestsOf } from '../../core/hash-causes/diagnose.ts';
import type { Question } from '../../core/hash-causes/layouts.ts';
import { digestNames, formulaNames } from '../../core/hash-causes/texts.ts';
import { type Group, type Layout, layOut, type Part, type RecipeName } from '../../core/signatures.ts';

/**
 * Whether a user sees right hashes in full. Never in production: a hash of a pasted text is a signed request or callback,
 * without the proof of identity that the password of the key requires.
 */
export const seesWholeHash = ({ role }: Pick<Viewer, 'role'>) =>
  env.appEnv === 'sandbox' && may(role, 'developers.send');

/** The password as it is shown. */
export const dots = '••••••••••••';

type ExplainInput = Question & {
  /** The name of a value by its place in the request; null if it is not part of it. */
  labelOf: (name: string, text: string) => string | null;
  whole: boolean;
  code: { id: string; title: string; text: string }[];
};

/** Explains a hash. */
export function explanationOf(requested: ExplainInput) {
  const { right, recipe, cause, tried } = diagnose(requested);
  const layout = layOut(recipe, requested.values);
  const changed = new Set(cause?.changed ?? []);
  const parts = (shown: Layout) =>
    shown.groups.flatMap(({ parts: all }) => all).map((part) => partOf(part, changed, requested));
  const { inner, outer } = digestsOf(layout, requested.digest);
  const shown = (hash: string) => (requested.whole ? hash : `${hash.slice(0, 8)}…`);
  const steps = [...textSteps(layout), { name: digestNames[requested.digest], text: shown(inner) }];
  if (outer !== null) steps.push({ name: 'SHA-1', text: shown(outer) });
  return {
    right,
    title: right ? 'The hash is right' : (cause?.title ?? (tried.length > 0 ? unknownTitle : tooLongTitle)),
    advice: right ? 'The text below gives exactly the received hash.' : (cause?.advice ?? unknownAdvice),
    formula: formulaText(recipe),
    ours: parts(layout),
    theirs: cause ? parts(cause.layout) : null,
    steps,
    expected: shown(outer ?? inner),
    received: requested.hash,
    /** Whether the expected hash is shown in full. */
    whole: requested.whole,
    tried: tried.map(({ name, matches }) => ({ name, matches })),
    code: requested.code,
  };
}

const unknownTitle = 'None of the common mistakes gives this hash';
const tooLongTitle = 'The hash is wrong, and the text is too long to look for the mistake';
const unknownAdvice =
  'Compare the text below with the one that your program builds, step by step. Most likely a value in it differs from the body, or the password does not belong to this key.';

/** The contract's formula. */
export const formulaText = (recipe: RecipeName) => `Formula for ${formulaNames[recipe]}`;

function partOf({ name, text }: Part, changed: ReadonlySet<string>, { labelOf }: ExplainInput) {
  const secret = name === 'password';
  const label = secret
    ? `password, ${[...text].length} characters`
    : (labelOf(name, text) ?? unexpectedLabels[name] ?? name);
  return { text: secret ? dots : text, label, secret, changed: changed.has(name) };
}

/** Signed values that are not part of the request. */
const unexpectedLabels: { readonly [name: string]: string } = {
  payerEmail: 'email of the payment',
  fragment: 'card: first 6 and last 4',
  transId: 'transaction',
  paymentId: 'payment',
  orderId: 'order',
  amount: 'amount',
  currency: 'currency',
  description: 'description',
  cardToken: 'card token',
  key: 'key',
};

/** The steps from the text to the digest. A step without effect is left out. */
function textSteps({ groups }: Layout): { name: string; text: string }[] {
  const steps = [
    { name: 'Join', text: textOf(groups, { reversed: false, upper: false }) },
    { name: 'Reverse', text: textOf(groups, { reversed: true, upper: false }) },
    { name: 'Uppercase', text: textOf(groups, { reversed: true, upper: true }) },
  ];
  return groups.some((group) => group.reversed) ? steps : steps.filter(({ name }) => name !== 'Reverse');
}

function textOf(groups: readonly Group[], does: { reversed: boolean; upper: boolean }): string {
  return groups
    .map(({ parts, reversed }) => {
      const turned = does.reversed && reversed;
      const texts = parts.map((part) => {
        if (part.name === 'password') return dots;
        const text = turned ? [...part.text].reverse().join('') : part.text;
        return does.upper && part.upper ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : text;
      });
      return (turned ? texts.reverse() : texts).join('');
    })
    .join('');
}
