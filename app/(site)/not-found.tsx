import { NotFoundMessage } from '../../components/ui/not-found-message';
import { env } from '../../lib/config';

/** For pages that look something up and find nothing; the layout is rendered already. */
export default function NothingFound() {
  return <NotFoundMessage sandbox={env.appEnv === 'sandbox'} />;
}
