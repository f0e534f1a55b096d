import styles from './service-notice.module.css';

/** The root page of a production deployment: names the service and offers nothing to try. */
export function ServiceNotice() {
  return (
    <div className={styles.bare}>
      <h1>Florin</h1>
      <p className="soft">
        This address processes payments for merchants. If you came from a shop, return to it and open its payment link
        again.
      </p>
    </div>
  );
}
