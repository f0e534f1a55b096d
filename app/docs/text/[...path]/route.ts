import { mount } from '../../../../lib/server/next-mount';

export { mount as GET, mount as HEAD, mount as OPTIONS };
