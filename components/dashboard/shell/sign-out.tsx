// Signs out with a plain form, which works without script and leaves nothing of the page behind.
import { Icon } from '../icons.tsx';

export function SignOut() {
  return (
    <form method="post" action="/dashboard/api/sign-out">
      <button type="submit" className="button">
        <Icon name="out" />
        Sign out
      </button>
    </form>
  );
}
