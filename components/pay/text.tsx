// Text with special needs on a page in another script: names keep their own direction, and a time has an element that
// the script can rewrite to the payer's time zone.
import { Fragment, type ReactNode } from 'react';
import type { AmountText, MessageValues, Translations } from '../../lib/core/translations.ts';

/** A message in which some arguments are elements, such as a time or a name in bold. */
export function withNodes(
  words: Translations,
  key: string,
  nodes: Record<string, ReactNode>,
  values: MessageValues = {},
): ReactNode {
  const names = Object.keys(nodes);
  // Private-use characters replace the elements while the message is formatted.
  const marks = Object.fromEntries(names.map((name, place) => [name, String.fromCharCode(0xe000 + place)]));
  const text = words.t(key, { ...values, ...marks });
  return text.split(/([\ue000-\ue00f])/).map((piece, place) => {
    const name = names[piece.charCodeAt(0) - 0xe000];
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces keep their order
    return <Fragment key={place}>{piece.length === 1 && name ? nodes[name] : piece}</Fragment>;
  });
}

/** A time; `form` is the format in which the script shows it again in the payer's zone. */
export function Instant({ at, form, words }: { at: Date; form: 'dateTime' | 'time'; words: Translations }) {
  return (
    <time dateTime={at.toISOString()} data-form={form}>
      {words[form](at)}
    </time>
  );
}

/** An amount with small letter codes and full-size symbols. */
export function Amount({ text }: { text: AmountText }) {
  return (
    <bdi>
      {text.parts.map((part) =>
        part.kind === 'code' ? (
          <small key="code">{part.text}</small>
        ) : (
          <Fragment key={`${part.kind}${part.text}`}>{part.text}</Fragment>
        ),
      )}
    </bdi>
  );
}
