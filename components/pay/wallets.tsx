// The wallet buttons above the list. They are hidden in the document, because only the payer's device knows whether it
// can pay with them. They show the wallet's name only; the logo is not ours to use.
import type { Translations } from '../../lib/core/translations';
import type { FormPage, WalletButton } from '../../lib/payer/contract';
import { Consent } from './form-fields';
import { HiddenFields } from './shell';

type Props = { page: FormPage; words: Translations };

function WalletForm({ wallet, page, words }: Props & { wallet: WalletButton }) {
  return (
    <form method="post" action={page.pageUrl} data-wallet={wallet.id} hidden>
      <HiddenFields page={page} words={words} />
      <input type="hidden" name="method" value={wallet.id} />
      <button type="submit" className="wallet" lang={words.lang} aria-label={words.t(`wallet.${wallet.id}`)}>
        <span className="ring" aria-hidden="true" />
        <span dir="ltr">{wallet.name}</span>
      </button>
    </form>
  );
}

/** `isAlone`: there is no other method, so a browser without these wallets needs a notice. */
export function Wallets({ page, words, isAlone = false }: Props & { isAlone?: boolean }) {
  const { wallets = [] } = page;
  if (wallets.length === 0) return null;
  const names = wallets.map(({ name }) => name).join(' / ');
  return (
    <>
      <div className="wallets" hidden>
        <Consent page={page} words={words} live={false} prefix="wallets" />
        <div className="buttons">
          {wallets.map((wallet) => (
            <WalletForm key={wallet.id} wallet={wallet} page={page} words={words} />
          ))}
        </div>
        {isAlone ? null : <p className="or">{words.t('wallet.or')}</p>}
      </div>
      {isAlone ? (
        <div className="no-wallet">
          <h3>{words.t('wallet.none.heading', { method: names })}</h3>
          <p className="intro">{words.t('wallet.none.text')}</p>
        </div>
      ) : null}
    </>
  );
}
