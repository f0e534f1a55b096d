import { NotFoundMessage } from '../../components/ui/not-found-message.tsx';
import { env } from '../../lib/config/index.ts';

/** For an order of the demo shop that does not exist; in production, for the demo shop itself. */
export default function NothingFound() {
  return <NotFoundMessage ofShop={env.appEnv === 'sandbox'} />;
}
