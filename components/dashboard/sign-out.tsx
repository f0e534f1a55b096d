// Signs out. A plain form: it works before the page's script does, and leaves nothing of the page behind.
import { Glyph } from './glyphs';
import styles from './shell.module.css';

export function SignOut({ small = false }: { small?: boolean }) {
  return (
    <form method="post" action="/dashboard/api/sign-out">
      {small ? (
        <button type="submit" className={styles.signOut} title="Sign out">
          <Glyph name="out" />
          <span className="unseen">Sign out</span>
        </button>
      ) : (
        <button type="submit" className="button">
          <Glyph name="out" />
          Sign out
        </button>
      )}
    </form>
  );
}
