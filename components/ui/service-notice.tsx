import styles from './service-notice.module.css';

/** What a production deployment shows at its root: which service this is, and nothing to try. */
export function ServiceNotice() {
  return (
    <div className={styles.bare}>
      <h1>Florin</h1>
      <p className="soft">
        This address takes payments for merchants. If you came here from a shop, go back to it and open its payment link
        again.
      </p>
    </div>
  );
}
