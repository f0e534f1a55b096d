/** The deadline of payment data, as an entry of the payer's calendar with a reminder a day before. */
import type { Translations } from '../core/translations.ts';

const day = 86_400_000;

/** Whether the deadline is far enough away for an entry in a calendar to help. */
export const isFarAway = (deadline: Date | undefined, now: Date): deadline is Date =>
  deadline !== undefined && deadline.getTime() - now.getTime() > day;

/** `amount` is formatted. */
export type Deadline = { id: string; at: Date; merchant: string; amount: string; pageUrl: string };

/** The entry as an iCalendar file (RFC 5545). */
export async function calendarFile({ id, at, merchant, amount, pageUrl }: Deadline, now: Date, { t }: Translations) {
  // Loaded on first use: few payers ask for it.
  const { default: ical, ICalAlarmType } = await import('ical-generator');
  const calendar = ical({ prodId: { company: 'Florin', product: 'Florin' } });
  const summary = `${t('pay.title', { merchant })}: ${amount}`;
  const event = calendar.createEvent({
    id,
    stamp: now,
    start: at,
    end: at,
    summary,
    description: pageUrl,
    url: pageUrl,
  });
  event.createAlarm({ type: ICalAlarmType.display, trigger: day / 1000, description: summary });
  return calendar.toString();
}
