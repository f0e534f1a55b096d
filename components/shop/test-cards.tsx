// The test cards, ready to copy, from the table that the sandbox's provider uses.
import { groupDigits } from '../../lib/core/cards';
import { sandboxCards, sandboxCode } from '../../lib/core/sandbox-cards';
import { CopyButton } from '../ui/copy-button';
import styles from './test-cards.module.css';

const [{ number: mainNumber } = { number: '' }] = sandboxCards;
/** A selection of further outcomes; the documentation lists all of them. */
const others = ['3ds-code', 'no-funds', 'wrong-cvv', 'timeout-settled', 'waiting-settled'];

const shortDate = (expiry: string) => expiry.replace(/^(\d\d)\/\d\d/, '$1/');

/** The main number with its dates, and a few other numbers. */
export function TestCards() {
  const dates = sandboxCards.filter((card) => card.number === mainNumber);
  const chosen = sandboxCards.filter((card) => others.includes(card.id));
  return (
    <div className={styles.cards}>
      <p className={styles.number}>
        <span className="mono">{groupDigits(mainNumber)}</span>
        <CopyButton text={mainNumber} what="card number" word />
      </p>
      <table className={styles.table}>
        <caption className="unseen">Outcome of each expiry date of this number</caption>
        <thead>
          <tr>
            <th scope="col">Expiry date</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {dates.map(({ id, expiry, name }) => (
            <tr key={id}>
              <td className="mono">{shortDate(expiry ?? '')}</td>
              <td>{name}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className={styles.table}>
        <caption className={styles.caption}>Other numbers, any future date</caption>
        <tbody>
          {chosen.map(({ id, number, name }) => (
            <tr key={id}>
              <th scope="row">
                <span className="mono">{groupDigits(number)}</span>
                <span className={styles.what}>{name}</span>
              </th>
              <td className={styles.copy}>
                <CopyButton text={number} what={`card number for: ${name}`} className="bare" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.help}>
        Any security code and any name of two words. The bank's code is <code>{sandboxCode}</code>. Real cards are
        always declined here. <a href="/docs/reference/test-cards">All test cards</a>
      </p>
    </div>
  );
}
