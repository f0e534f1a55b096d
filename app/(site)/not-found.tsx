import { NotFoundMessage } from '../../components/ui/not-found-message';
import { env } from '../../lib/config';

/** For an order of the demo shop that does not exist; in production, for the demo shop itself. */
export default function NothingFound() {
  return <NotFoundMessage ofShop={env.appEnv === 'sandbox'} />;
}
