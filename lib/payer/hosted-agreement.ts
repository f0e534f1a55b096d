/**
 * What the payer of a session with hosted fields agrees to besides the payment, as the payment page shows it: the words of
 * their frame, and the record of the choice that comes with the card.
 */
import type { Payment, Session } from '../core/payment.ts';
import type { Translations } from '../core/translations.ts';
import { callerOf } from '../merchants/index.ts';
import { shownAgreement } from '../recurring/index.ts';
import { merchantOf, recordAgreedText } from './agreement.ts';
import { agreementText } from './agreement-text.ts';
import { localeNamed, regionOfTag } from './region.ts';
import { translationsIn } from './regional-translations.ts';

type Stored = { payment: Payment; session: Session };

/** The payer's choice, as the frame sends it. */
export type HostedChoice = { mark: string; words: Translations; saves: boolean; consents: boolean };

async function offered(stored: Stored, now: Date) {
  const caller = await callerOf(stored.payment);
  return { caller, ...(await shownAgreement({ caller, ...stored }, now)) };
}

/** The translations that a frame names: by a code of the contract or a language tag; English for any other text. */
function translationsNamed(tag: string): Translations {
  const language = localeNamed(tag) ?? 'en';
  return translationsIn(language, regionOfTag(tag, language));
}

/** The words for the frame in the language of a tag: the agreement's, and those of its boxes. */
export async function hostedAgreement(stored: Stored, tag: string, now: Date): Promise<object> {
  const { caller, agreement, boxes, mark } = await offered(stored, now);
  const words = translationsNamed(tag);
  const { t } = words;
  const shown = merchantOf({ caller });
  const { rows, text } = agreement ? agreementText(agreement, shown, words) : { rows: [], text: null };
  const consent = { name: 'consents', text: t('pay.consent', { merchant: shown.merchant.name }) };
  return {
    mark,
    rows,
    text,
    boxes: [
      ...(boxes.consents ? [{ ...consent, error: t('error.consent') }] : []),
      ...(boxes.saves ? [{ name: 'saves', text: t('pay.save'), error: null }] : []),
    ],
  };
}

/** Reads the choice in a submit; null without one, or for one that the frame cannot have sent. */
export function readChoice(sent: unknown): HostedChoice | null {
  if (typeof sent !== 'object' || sent === null) return null;
  const { mark, language, saves, consents } = sent as Record<string, unknown>;
  if (typeof mark !== 'string' || typeof language !== 'string') return null;
  return { mark, words: translationsNamed(language), saves: saves === true, consents: consents === true };
}

/**
 * Records what the payer has agreed to, and returns whether the card is saved; null if the agreement is not the one that
 * the payer has read, or lacks their consent. `isNew`: the card is not a saved one.
 */
export async function recordChoice(
  stored: Stored,
  choice: HostedChoice,
  isNew: boolean,
  now: Date,
): Promise<boolean | null> {
  const { caller, agreement, boxes, mark } = await offered(stored, now);
  if (choice.mark !== mark || (boxes.consents && !choice.consents)) return null;
  const isSaved = boxes.saves && choice.saves && isNew;
  await recordAgreedText(
    { caller, payment: stored.payment },
    { agreement, isTicked: boxes.consents, isSaved },
    choice.words,
    now,
  );
  return isSaved;
}
