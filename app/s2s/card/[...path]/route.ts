import { serveFromNext as serve } from '../../../../lib/server/index.ts';

export { serve as GET, serve as OPTIONS, serve as POST };
